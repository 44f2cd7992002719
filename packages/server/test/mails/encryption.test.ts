import { Writable } from 'node:stream';
import pino from 'pino';
import { describe, expect, test } from 'vitest';
import { createMailer } from '#features/mails/mailer.ts';
import { sendMailHandler } from '#features/mails/send-mail.ts';
import { forFile } from '../support/for-file.ts';
import { startTestService } from '../support/service.ts';
import { startSmtp, type SmtpBehaviour, type TestSmtp } from '../support/smtp.ts';
import { mailConfig, mailOf, writeMail } from './support.ts';

const lines: string[] = [];

const sink = new Writable({
  write(chunk: Buffer, _encoding, done) {
    lines.push(chunk.toString());
    done();
  },
});
const config = mailConfig({ address: () => ({ host: '127.0.0.1', port: 1 }) } as unknown as TestSmtp);
const service = await forFile(startTestService({ worker: false, config, log: pino({ level: 'trace' }, sink) }));

/**
 * Makes one attempt to send a mail. Returns the stored mail after it, and the mails that the server
 * received.
 */
async function attempt(behaviour: SmtpBehaviour, parts: Parameters<TestSmtp['address']>[0]) {
  await using smtp = await startSmtp(behaviour);
  await using mailer = createMailer(mailConfig(smtp, parts))!;
  const mailId = await writeMail(service.context, { to: 'asha@example.com' });
  const run = { signal: new AbortController().signal, jobId: '1', attempt: 1, maxAttempts: 25 };
  const payload = { account_id: 1, mail_id: mailId, attempt: 1 };
  await sendMailHandler()({ ...service.context, mailer }, payload, run);
  return { mail: await mailOf(service.first, mailId), received: [...smtp.mails] };
}

// The server has a self-signed certificate.
const offering: SmtpBehaviour = { options: { disabledCommands: ['AUTH'] } };
const implicit: SmtpBehaviour = { options: { disabledCommands: ['AUTH'], secure: true } };
const plain: SmtpBehaviour = {};
const anyCertificate = '?tls.rejectUnauthorized=false';

describe('encryption of the connection to the mail server', () => {
  test.each([
    ['STARTTLS that the server offers', offering, { query: anyCertificate }],
    ['STARTTLS that the setting requires', offering, { query: `${anyCertificate}&requireTLS=true` }],
    ['TLS from the start', implicit, { scheme: 'smtps', query: anyCertificate }],
  ])('is used: %s', async (_what, behaviour, parts) => {
    const { mail, received } = await attempt(behaviour, parts);
    expect(mail.last_error).toBeNull();
    expect(received.map(({ secure }) => secure)).toEqual([true]);
  });

  test.each([
    ['a bad certificate after STARTTLS', offering, {}],
    ['a bad certificate from the start', implicit, { scheme: 'smtps' }],
    ['a server without TLS where it is required', plain, { query: '?requireTLS=true' }],
    ['TLS from the start with a server that speaks plain text', plain, { scheme: 'smtps' }],
  ])('is not skipped, and the mail waits, after %s', async (_what, behaviour, parts) => {
    const { mail, received } = await attempt(behaviour, parts);
    expect(mail).toMatchObject({ status: 'pending', attempts: 1, last_error: { code: 'tls_failed' } });
    expect(received).toEqual([]);
  });

  test('is not used if the setting ignores TLS or the server does not offer it', async () => {
    for (const [behaviour, query] of [
      [offering, '?ignoreTLS=true'],
      [plain, ''],
    ] as const) {
      const { received } = await attempt(behaviour, { query });
      expect(received.map(({ secure }) => secure)).toEqual([false]);
    }
  });
});

describe('the login at a mail server', () => {
  const logins: string[] = [];
  const options: SmtpBehaviour['options'] = {
    disabledCommands: [],
    onAuth({ username, password }, _session, done) {
      logins.push(`${username} ${password}`);
      done(password === 'right-secret' ? null : new Error(`asha@example.com may not ${password}`), { user: username });
    },
  };

  test('is sent over an encrypted connection', async () => {
    const { received } = await attempt({ options }, { login: 'user:right-secret@', query: anyCertificate });
    expect(received.map(({ user, secure }) => [user, secure])).toEqual([['user', true]]);
  });

  test('is never sent in plain text', async () => {
    logins.length = 0;
    const insecure = { ...options, disabledCommands: ['STARTTLS'], allowInsecureAuth: true };
    const { mail } = await attempt({ options: insecure }, { login: 'user:right-secret@' });
    expect(mail.last_error).toMatchObject({ code: 'tls_failed' });
    expect(logins).toEqual([]);
  });

  test('makes the mail wait when the server refuses it', async () => {
    const { mail } = await attempt({ options }, { login: 'user:wrong-secret@', query: anyCertificate });
    expect(mail).toMatchObject({ status: 'pending', last_error: { code: 'login_refused', reply: '535' } });
  });
});

test('logs and metrics contain no addresses, no passwords and no replies of mail servers', async () => {
  const refused = { code: 550, text: '5.1.1 asha@example.com is unknown' };
  await attempt({ onRecipient: () => refused }, {});
  const log = lines.join('');
  expect(log).toContain('could not send a mail; giving up');
  expect(log).toContain('could not send a mail; retrying');
  expect(log).toContain('"code":"tls_failed"');
  const { body } = await service.call('GET', '/metrics');
  expect(body).toMatch(/roster_mails_total\{outcome="sent"\} [1-9]/);
  expect(body).toMatch(/roster_mails_total\{outcome="deferred"\} [1-9]/);
  expect(body).toMatch(/roster_mails_total\{outcome="failed"\} 1/);
  for (const text of [log, String(body)]) expect(text).not.toMatch(/asha|secret|unknown|may not|example\.com/);
});
