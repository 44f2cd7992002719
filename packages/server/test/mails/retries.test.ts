import { once } from 'node:events';
import { createServer, type AddressInfo } from 'node:net';
import type { MailDetail } from '@roster/contract';
import { describe, expect, test } from 'vitest';
import type { Context } from '#platform/context.ts';
import { freePort } from '@roster/embedded-postgres';
import { createMailer, type Mailer } from '#features/mails/mailer.ts';
import { mailRetryDelay, retryWindow, sendMailHandler } from '#features/mails/send-mail.ts';
import { forFile } from '../support/for-file.ts';
import { startTestService } from '../support/service.ts';
import { startSmtp, type Reply, type SmtpBehaviour, type TestSmtp } from '../support/smtp.ts';
import { mailConfig, mailOf, mailThat, mailWith, writeMail } from './support.ts';

let now = new Date('2026-01-31T09:00:00Z');

const smtpServer = { host: '127.0.0.1', port: await freePort(), tls: 'never', verifyCertificate: true } as const;
// No process sends the mails. The tests make each attempt themselves.
const config = { smtpServer, mailFrom: { address: 'roster@roster.example.com' } };
const service = await forFile(startTestService({ worker: false, config, now: () => now }));

/** Writes a mail to send to a server. The test makes the attempts. */
async function mailsTo(smtp: TestSmtp, parts?: Parameters<TestSmtp['address']>[0]) {
  const mailer = createMailer(mailConfig(smtp, parts))!;
  const context: Context = { ...service.context, mailer };
  const mailId = await writeMail(context);
  return {
    context,
    mailId,
    /** Makes an attempt, and returns the mail after it. */
    async attempt(attempt: number, changes: Partial<Context> = {}): Promise<MailDetail> {
      await makeAttempt({ ...context, ...changes }, mailId, attempt);
      return mailOf(service.first, mailId);
    },
    [Symbol.asyncDispose]: () => mailer[Symbol.asyncDispose](),
  };
}

async function makeAttempt(context: Context, mailId: string, attempt: number, signal = new AbortController().signal) {
  const payload = { account_id: 1, mail_id: mailId, attempt };
  await sendMailHandler(() => 60_000)(context, payload, { signal, jobId: '1', attempt: 1, maxAttempts: 25 });
}

/** Returns a function that refuses the first call, and accepts later ones. */
function refuseOnce(code: number, text: string): () => Reply | undefined {
  let isFirst = true;
  return () => {
    const reply = isFirst ? { code, text } : undefined;
    isFirst = false;
    return reply;
  };
}

test('a mail is sent when its unreachable server is up again', async () => {
  const smtpServer = { ...service.context.config.smtpServer!, port: await freePort() };
  const config = { smtpServer, mailFrom: service.context.config.mailFrom };
  await using own = await startTestService({ worker: false, config });
  await using jobs = own.startJobs({ send_mail: sendMailHandler(() => 10) });
  void jobs;
  const mailId = await writeMail(own.context);
  const waiting = await mailThat(own.first, mailId, ({ attempts }) => attempts >= 2);
  expect(waiting).toMatchObject({ status: 'pending', last_error: { code: 'server_unreachable', reply: null } });

  await using up = await startSmtp({ port: smtpServer.port });
  const sent = await mailWith(own.first, mailId, 'sent');
  expect(sent.attempts).toBeGreaterThan(2);
  expect(sent.last_error).toBeNull();
  expect(up.mails.map(({ parsed }) => parsed.messageId)).toEqual([`<${mailId}@roster.example.com>`]);
});

describe('a mail is tried again', () => {
  test.each<[string, string, string, SmtpBehaviour]>([
    [
      'the recipient temporarily',
      'deferred',
      '450 4.2.1',
      { onRecipient: refuseOnce(450, '4.2.1 asha@example.com is busy') },
    ],
    ['the message temporarily', 'deferred', '451', { onMail: refuseOnce(451, 'try later') }],
    ['everything temporarily', 'deferred', '421', { onRecipient: refuseOnce(421, 'closing') }],
    ['the sender', 'sender_refused', '550 5.7.1', { onSender: refuseOnce(550, '5.7.1 who is that?') }],
    ['clients without a login', 'login_refused', '530 5.7.0', { onSender: refuseOnce(530, '5.7.0 log in first') }],
  ])('if the server refuses %s', async (_what, code, reply, behaviour) => {
    await using smtp = await startSmtp(behaviour);
    await using mails = await mailsTo(smtp);
    const waiting = await mails.attempt(1);
    expect(waiting).toMatchObject({ status: 'pending', attempts: 1, last_error: { code, reply } });
    expect(Date.parse(waiting.next_attempt_at!)).toBe(now.getTime() + 60_000);
    expect(smtp.mails).toEqual([]);
    expect(await mails.attempt(2)).toMatchObject({
      status: 'sent',
      attempts: 2,
      last_error: null,
      next_attempt_at: null,
    });
    expect(smtp.mails).toHaveLength(1);
  });
});

describe('a mail fails at once', () => {
  test.each<[string, string, string, SmtpBehaviour]>([
    [
      'the recipient permanently',
      'recipient_refused',
      '550 5.1.1',
      { onRecipient: () => ({ code: 550, text: '5.1.1 no asha@example.com here' }) },
    ],
    [
      'the message permanently',
      'message_refused',
      '554 5.6.0',
      { onMail: () => ({ code: 554, text: '5.6.0 not this' }) },
    ],
  ])('if the server refuses %s', async (_what, code, reply, behaviour) => {
    await using smtp = await startSmtp(behaviour);
    await using mails = await mailsTo(smtp);
    const failed = await mails.attempt(1);
    expect(failed).toMatchObject({ status: 'failed', attempts: 1, last_error: { code, reply }, next_attempt_at: null });
    expect(JSON.stringify(failed.last_error)).not.toMatch(/asha|not this/);
    expect((await mails.attempt(2)).attempts).toBe(1);
  });
});

test('an attempt that has ended is not made again when its job runs again', async () => {
  await using smtp = await startSmtp({ onRecipient: refuseOnce(450, 'busy') });
  await using mails = await mailsTo(smtp);
  await mails.attempt(1);
  expect((await mails.attempt(1)).attempts).toBe(1);
  expect(smtp.mails).toEqual([]);
  await mails.attempt(2);
  expect((await mails.attempt(2)).attempts).toBe(2);
  expect(smtp.mails).toHaveLength(1);
});

test('a mail is sent again with the same Message-ID when its acceptance could not be recorded', async () => {
  await using smtp = await startSmtp();
  await using mails = await mailsTo(smtp);
  const lost = new Error('the process is gone');
  const mailer: Mailer = {
    ...mails.context.mailer!,
    async send(mail) {
      await mails.context.mailer!.send(mail);
      throw lost;
    },
  };
  await expect(mails.attempt(1, { mailer })).rejects.toBe(lost);
  expect(await mailOf(service.first, mails.mailId)).toMatchObject({ status: 'pending', attempts: 0 });
  expect(await mails.attempt(1)).toMatchObject({ status: 'sent', attempts: 1 });
  const ids = smtp.mails.map(({ parsed }) => parsed.messageId);
  expect(ids).toEqual([`<${mails.mailId}@roster.example.com>`, `<${mails.mailId}@roster.example.com>`]);
  expect(new Set(smtp.mails.map(({ parsed }) => parsed.date)).size).toBe(1);
});

test('a stop during an attempt does not wait for the mail server, and the next process sends the mail', async () => {
  let reached: () => void;
  const isReached = new Promise<void>((resolve) => (reached = resolve));
  let isSlow = true;
  const slow = new Promise<Reply>(() => undefined);
  await using smtp = await startSmtp({
    onMail: () => {
      reached();
      return isSlow ? slow : undefined;
    },
  });
  await using own = await startTestService({ worker: false, config: mailConfig(smtp) });
  const first = own.startJobs();
  const mailId = await writeMail(own.context);
  await isReached;
  const begin = performance.now();
  await first[Symbol.asyncDispose]();
  expect(performance.now() - begin).toBeLessThan(5000);
  expect(await mailOf(own.first, mailId)).toMatchObject({ status: 'pending', attempts: 0, last_error: null });

  isSlow = false;
  await using second = own.startJobs();
  void second;
  expect(await mailWith(own.first, mailId, 'sent')).toMatchObject({ attempts: 1 });
  expect(smtp.mails.map(({ parsed }) => parsed.messageId)).toEqual([`<${mailId}@roster.example.com>`]);
});

test('an attempt to a server that accepts connections but sends nothing is aborted by a stop, and does not count', async () => {
  const silent = createServer().listen(0, '127.0.0.1');
  await once(silent, 'listening');
  const { port } = silent.address() as AddressInfo;
  const { config } = service.context;
  const mailer = createMailer({ ...config, smtpServer: { ...config.smtpServer!, port } })!;
  const context = { ...service.context, mailer };
  const mailId = await writeMail(context);
  const stopping = new AbortController();
  silent.once('connection', () => stopping.abort());
  await expect(makeAttempt(context, mailId, 1, stopping.signal)).rejects.toMatchObject({ code: 'timeout' });
  expect(await mailOf(service.first, mailId)).toMatchObject({ status: 'pending', attempts: 0 });
  await mailer[Symbol.asyncDispose]();
  silent.close();
  await once(silent, 'close');
});

describe('the pauses between attempts to send a mail', () => {
  test('grow up to two hours, with 20% jitter', () => {
    expect([1, 2, 3, 8, 9, 40].map((attempt) => mailRetryDelay(attempt, () => 0.5))).toEqual(
      [30, 60, 120, 3840, 7200, 7200].map((seconds) => seconds * 1000),
    );
    expect(mailRetryDelay(1, () => 0)).toBe(24_000);
    expect(mailRetryDelay(1, () => 1)).toBe(36_000);
  });

  test('end when the mail fails after 24 hours', async () => {
    const mailId = await writeMail(service.context);
    const begin = now.getTime();
    const handle = sendMailHandler((attempt) => mailRetryDelay(attempt, () => 0.5));
    let mail = await mailOf(service.first, mailId);
    for (let attempt = 1; mail.status === 'pending'; attempt++) {
      now = new Date(mail.next_attempt_at!);
      const run = { signal: new AbortController().signal, jobId: '1', attempt: 1, maxAttempts: 25 };
      await handle(service.context, { account_id: 1, mail_id: mailId, attempt }, run);
      mail = await mailOf(service.first, mailId);
    }
    expect(mail).toMatchObject({
      status: 'failed',
      attempts: 19,
      last_error: { code: 'server_unreachable' },
      next_attempt_at: null,
    });
    expect(now.getTime() - begin).toBeLessThanOrEqual(retryWindow);
    expect(now.getTime() - begin).toBeGreaterThan(retryWindow - 2 * 3_600_000);
  });

  test('do not apply to the first attempt, which is made even for a mail that waited for days', async () => {
    const mailId = await writeMail(service.context);
    now = new Date(now.getTime() + 3 * retryWindow);
    await makeAttempt(service.context, mailId, 1);
    expect(await mailOf(service.first, mailId)).toMatchObject({ status: 'failed', attempts: 1 });
  });
});
