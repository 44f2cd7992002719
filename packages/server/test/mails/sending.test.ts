import { describe, expect, test } from 'vitest';
import { createMail } from '#features/mails/mails.ts';
import { until } from '../crash/wait.ts';
import { forFile } from '../support/for-file.ts';
import { startTestService, type TestService } from '../support/service.ts';
import { startSmtp } from '../support/smtp.ts';
import { exportFacts, mailConfig, mailOf, mailWith, waitingJobs, writeMail } from './support.ts';

const smtp = await forFile(startSmtp());
const service = await forFile(startTestService({ worker: false, config: mailConfig(smtp) }));
await forFile(service.startJobs());

const receivedBy = (address: string) => smtp.mails.filter(({ envelope }) => envelope.to.includes(address));

test('a mail arrives with both texts and the right headers', async () => {
  const mailId = await writeMail(service.context, { to: 'first@example.com', audienceName: 'Nouvelles d’été 🌞' });
  const sent = await mailWith(service.first, mailId, 'sent');

  const [mail, ...others] = receivedBy('first@example.com');
  expect(others).toEqual([]);
  expect(mail!.envelope).toEqual({ from: 'roster@roster.example.com', to: ['first@example.com'] });
  const { parsed } = mail!;
  expect(parsed.from).toEqual({ name: 'Roster, at work', address: 'roster@roster.example.com' });
  expect(parsed.to).toEqual([{ name: '', address: 'first@example.com' }]);
  expect(parsed.subject).toBe('The export of the list “Nouvelles d’été 🌞” is ready');
  expect(parsed.messageId).toBe(`<${mailId}@roster.example.com>`);
  expect(Date.parse(parsed.date!)).toBe(Math.floor(Date.parse(sent.created_at) / 1000) * 1000);
  expect(parsed.headers).toContainEqual(expect.objectContaining({ key: 'auto-submitted', value: 'auto-generated' }));
  expect(parsed.headers.find(({ key }) => key === 'content-type')!.value).toMatch(/^multipart\/alternative;/);
  // A mail always ends with a line break. The parser shows that as one more line.
  expect(parsed.text?.trimEnd()).toBe(sent.text.trimEnd());
  expect(parsed.html?.trimEnd()).toBe(sent.html.trimEnd());
  expect(parsed.html).toContain('Nouvelles d’été 🌞 (list 1)');
  expect(parsed.attachments).toEqual([]);

  expect(sent).toMatchObject({ to: 'first@example.com', attempts: 1, last_error: null, next_attempt_at: null });
  expect(Date.parse(sent.sent_at!)).toBeGreaterThanOrEqual(Date.parse(sent.created_at));
});

test('the link of a sign-up is stored only until its mail is sent', async () => {
  await using own = await startTestService({ worker: false, config: mailConfig(smtp) });
  const mailId = await signUp(own, 'link@example.com');
  const link = /https?:\/\/\S+\/verify\/[\w-]{43}/;
  const waiting = await mailOf(own.first, mailId);
  expect(waiting).toMatchObject({ status: 'pending', text: expect.stringMatching(link) });
  const [found] = link.exec(waiting.text)!;

  await using running = own.startJobs();
  void running;
  const sent = await mailWith(own.first, mailId, 'sent');
  const { parsed } = receivedBy('link@example.com')[0]!;
  expect([parsed.text, parsed.html]).toEqual([expect.stringContaining(found), expect.stringContaining(found)]);
  expect(sent.text).toBe(waiting.text.replace(found, '[link]'));
  expect(sent.html).toBe(waiting.html.replace(found, '[link]'));
});

test('a mail of a transaction that is rolled back is neither stored nor sent', async () => {
  const { context } = service;
  let mailId = '';
  const rolledBack = context.db.transaction().execute(async (trx) => {
    const data = exportFacts();
    mailId = await createMail(trx, context, {
      accountId: 1,
      to: 'never@example.com',
      template: 'export_finished',
      data,
    });
    throw new Error('rolled back by the test');
  });
  await expect(rolledBack).rejects.toThrow('rolled back by the test');
  // When a later mail has arrived, the earlier one would have arrived too.
  await mailWith(service.first, await writeMail(context), 'sent');
  expect(receivedBy('never@example.com')).toEqual([]);
  expect((await service.first.operator('GET', `/mails/${mailId}`)).status).toBe(404);
});

test('two processes send many mails over a few connections, and each mail once', async () => {
  await using other = service.startJobs();
  void other;
  const recipients = Array.from({ length: 60 }, (_, index) => `many${index}@example.com`);
  const ids = await Promise.all(recipients.map((to) => writeMail(service.context, { to })));
  await Promise.all(ids.map((id) => mailWith(service.first, id, 'sent')));
  for (const address of recipients) expect(receivedBy(address), address).toHaveLength(1);
  expect(smtp.mostConnections).toBeLessThanOrEqual(8);
  await until('the jobs have ended', 15_000, async () => (await waitingJobs(service)) === 0);
});

test('the server receives the login, the client name and unusual addresses unchanged', async () => {
  const logins: unknown[] = [];
  await using server = await startSmtp({
    options: {
      disabledCommands: ['STARTTLS'],
      allowInsecureAuth: true,
      onAuth({ username, password }, { hostNameAppearsAs: name }, done) {
        logins.push({ username, password, name });
        done(null, { user: username });
      },
    },
  });
  const parts = { login: 'asha%40example.com:p%40ss%2Fword@', query: '?ignoreTLS=true&name=roster.example.com' };
  await using own = await startTestService({ worker: false, config: mailConfig(server, parts) });
  await using running = own.startJobs();
  void running;
  for (const to of ["o'hara+x@sub.example.co.in", '{|}~@example.com']) {
    await mailWith(own.first, await writeMail(own.context, { to }), 'sent');
  }
  expect(logins[0]).toEqual({ username: 'asha@example.com', password: 'p@ss/word', name: 'roster.example.com' });
  expect(server.mails.map(({ envelope }) => envelope.to)).toEqual([
    ["o'hara+x@sub.example.co.in"],
    ['{|}~@example.com'],
  ]);
});

describe('without a mail server', () => {
  test('a mail is only stored, and operators can read it', async () => {
    await using quiet = await startTestService({ worker: false });
    const mailId = await writeMail(quiet.context);
    expect(await mailOf(quiet.first, mailId)).toMatchObject({
      mail_id: mailId,
      template: 'export_finished',
      to: 'asha@example.com',
      subject: 'The export of the list “Newsletter” is ready',
      status: 'stored',
      attempts: 0,
      last_error: null,
      sent_at: null,
      next_attempt_at: null,
      text: expect.stringContaining('https://roster.example.com/files/a'),
      html: expect.stringContaining('<a href="https://roster.example.com/files/a">'),
    });
    expect(await waitingJobs(quiet)).toBe(0);
    expect((await quiet.call('GET', '/metrics')).body).toContain('roster_mails_total{outcome="stored"} 1');
  });

  test('a pending mail becomes stored after the server was removed from the configuration', async () => {
    await using before = await startTestService({ worker: false, config: mailConfig(smtp) });
    const mailId = await writeMail(before.context, { to: 'waiting@example.com' });
    expect(await mailOf(before.first, mailId)).toMatchObject({
      status: 'pending',
      next_attempt_at: expect.any(String),
    });
    Object.assign(before.context.config, { smtpServer: undefined });
    await using running = before.startJobs();
    void running;
    expect(await mailWith(before.first, mailId, 'stored')).toMatchObject({ attempts: 0, next_attempt_at: null });
    expect(receivedBy('waiting@example.com')).toEqual([]);
  });
});

test('the metrics count the outcomes of mails', async () => {
  const { body } = await service.call('GET', '/metrics');
  expect(body).toMatch(/roster_mails_total\{outcome="sent"\} [1-9]/);
});

/** Signs up an address, and returns the id of the mail. */
async function signUp({ first }: TestService, email: string): Promise<string> {
  expect((await first.operator('POST', '/sign-ups', { email })).status).toBe(201);
  return (await first.operator('GET', '/mails?limit=1')).body.data[0].mail_id as string;
}
