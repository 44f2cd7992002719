import type { MailDetail } from '@roster/contract';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Context } from '#platform/context.ts';
import { createMailer } from '#features/mails/mailer.ts';
import { createMail } from '#features/mails/mails.ts';
import { sendMailHandler } from '#features/mails/send-mail.ts';
import { SmtpFailure } from '#features/mails/smtp-failure.ts';
import { forFile } from '../support/for-file.ts';
import { startTestService } from '../support/service.ts';
import { type ReceivedMail, startSmtp } from '../support/smtp.ts';
import { exportFacts, mailConfig, mailOf, writeMail } from './support.ts';

const smtp = await forFile(startSmtp());
const service = await forFile(startTestService({ worker: false, config: mailConfig(smtp) }));
const mailer = await forFile(createMailer(service.context.config)!);
const harmless = shapeOf((await sendAbout('Newsletter')).stored);

/**
 * Sends the mail about an export, with these names of audience and account. Returns the received
 * and the stored mail.
 */
async function sendAbout(audienceName: string, accountName = audienceName) {
  const context: Context = { ...service.context, mailer };
  const mailId = await writeMail(context, { audienceName, accountName, error: audienceName });
  const run = { signal: new AbortController().signal, jobId: '1', attempt: 1, maxAttempts: 25 };
  await sendMailHandler()(context, { account_id: 1, mail_id: mailId, attempt: 1 }, run);
  const stored = await mailOf(service.first, mailId);
  expect(stored.status).toBe('sent');
  return { mail: smtp.mails.at(-1)!, stored };
}

/** Returns the names of the headers, in order. */
function headerNames({ parsed }: ReceivedMail): string[] {
  return parsed.headers.map(({ key }) => key);
}

/**
 * Returns the parts of a mail that no name may change: the number of lines of the text, and the
 * HTML tags.
 */
function shapeOf({ text, html }: MailDetail): object {
  return { lines: text.split('\n').length, elements: [...html.matchAll(/<[^>]*>/g)].map(([tag]) => tag) };
}

const usual = ['auto-submitted', 'from', 'to', 'subject', 'message-id', 'date', 'mime-version', 'content-type'].sort();

const hostile = [
  'x\r\nBcc: victim@example.com',
  'x\nBcc: victim@example.com\n\nanother body',
  'x\r\n.\r\nMAIL FROM:<x@example.com>\r\nRCPT TO:<victim@example.com>\r\nDATA',
  'x\u2028Bcc: victim@example.com\u2029y\u0085z',
  'x\0y\u0007\u001b]0;title\u0007',
  'x\u202Egnp.exe',
  '=?utf-8?B?DQpCY2M6IHZpY3RpbUBleGFtcGxlLmNvbQ==?=',
  '=?utf-8?Q?=0D=0ABcc:_victim=40example.com?=',
  '“”<>"\\(),:;@[]',
  '--x\r\nContent-Type: text/html\r\n\r\n<script>alert(1)</script>',
  '<img src="https://evil.example.com/x.png" onerror=alert(1)>',
  '"><script>alert(1)</script>',
  '{{constructor}} ${x} %s %0d%0a &lt;',
  '.\n..\n.',
  'From someone',
  '👩‍👩‍👧‍👦'.repeat(60),
  'é'.repeat(255),
  'x'.repeat(255),
];

describe('the name of an audience or account in a mail', () => {
  test.each(hostile)('adds no header, recipient or HTML tag: %j', async (name) => {
    const { mail, stored } = await sendAbout(name);
    expect(mail.envelope).toEqual({ from: 'roster@roster.example.com', to: ['asha@example.com'] });
    expect(headerNames(mail).sort()).toEqual(usual);
    expect(mail.parsed.to).toEqual([{ name: '', address: 'asha@example.com' }]);
    expect(mail.parsed.subject?.replaceAll('\u2060', '')).toBe(stored.subject);
    expect(stored.subject).toMatch(/^[^\p{Cc}\p{Zl}\p{Zp}]*$/u);
    expect(mail.parsed.text?.trimEnd()).toBe(stored.text.trimEnd());
    expect(mail.parsed.html?.trimEnd()).toBe(stored.html.trimEnd());
    expect(shapeOf(stored)).toEqual(harmless);
    for (const line of mail.raw.split('\r\n')) expect(line.length).toBeLessThanOrEqual(998);
    expect(smtp.mails.every(({ envelope }) => envelope.to.length === 1)).toBe(true);
  });

  test('adds no header, recipient or HTML tag if it is a random text', async () => {
    const anyText = fc.oneof(
      fc.string({ unit: 'binary', maxLength: 80 }),
      fc.string({
        unit: fc.constantFrom('\r', '\n', ' ', ':', '=', '?', '<', '"', 'B', 'c', '\ud800', '”', '.', '\t'),
        maxLength: 80,
      }),
    );
    await fc.assert(
      fc.asyncProperty(anyText, anyText, async (audience, account) => {
        const { mail, stored } = await sendAbout(audience, account);
        expect(headerNames(mail).sort()).toEqual(usual);
        expect(mail.envelope.to).toEqual(['asha@example.com']);
        expect(mail.parsed.subject?.replaceAll('\u2060', '')).toBe(stored.subject);
        expect(shapeOf(stored)).toEqual(harmless);
      }),
      { numRuns: 60 },
    );
  });
});

describe('the recipient of a mail', () => {
  const several = [
    'a@example.com, b@example.com',
    'a@example.com,b@example.com',
    'a@example.com; b@example.com',
    'a@example.com b@example.com',
    '<a@example.com>',
    'Asha <a@example.com>',
    'group: a@example.com, b@example.com;',
    'a@example.com\r\nBcc: b@example.com',
    'a@example.com>\r\nRCPT TO:<b@example.com',
    'a@example.com\n',
    '"a@example.com, b"@example.com',
    'a@b@example.com',
    'a@[127.0.0.1]',
    'a@example.com\0',
    `${'a'.repeat(250)}@example.com`,
    '',
  ];

  test.each(several)('must be one address, so %j is refused', async (to) => {
    const { context } = service;
    const creation = context.db
      .transaction()
      .execute((trx) =>
        createMail(trx, context, { accountId: 1, to, template: 'export_finished', data: exportFacts() }),
      );
    await expect(creation).rejects.toThrow(/^the recipient of a mail \(export_finished\) is not an address$/);
  });

  test.each(several)('never becomes two recipients, even if the mailer is given %j', async (to) => {
    const before = smtp.mails.length;
    const mail = { mailId: service.context.newId(), to, subject: 's', text: 't', html: 'h', createdAt: new Date() };
    const isSent = await mailer.send(mail).then(
      () => true,
      (error: unknown) => error instanceof SmtpFailure && false,
    );
    const received = smtp.mails.slice(before);
    expect(received).toHaveLength(isSent ? 1 : 0);
    for (const { envelope, parsed } of received) {
      expect(envelope.to).toEqual([expect.stringMatching(/^a@(example\.com|\[127\.0\.0\.1\])$/)]);
      expect(parsed.to).toHaveLength(1);
      expect(parsed.headers.map(({ key }) => key).sort()).toEqual(usual);
    }
  });
});

test('a sender name with addresses and line breaks adds no sender, header or recipient', async () => {
  const evil = { address: 'roster@example.com', name: 'Boss <boss@example.com>, "x"\r\nBcc: victim@example.com' };
  await using own = createMailer({ ...service.context.config, mailFrom: evil })!;
  await own.send({
    mailId: service.context.newId(),
    to: 'asha@example.com',
    subject: 'a\r\nBcc: victim@example.com',
    text: 't',
    html: 'h',
    createdAt: new Date(),
  });
  const mail = smtp.mails.at(-1)!;
  expect(headerNames(mail).sort()).toEqual(usual);
  expect(mail.parsed.from?.address).toBe('roster@example.com');
  expect(mail.envelope).toEqual({ from: 'roster@example.com', to: ['asha@example.com'] });
});

test('a subject in the form of an encoded word is not decoded', async () => {
  const subject = '=?utf-8?Q?Bcc:_victim=40example.com?= hi';
  const mail = { mailId: service.context.newId(), to: 'asha@example.com', text: 't', html: 'h', createdAt: new Date() };
  await mailer.send({ ...mail, subject });
  expect(smtp.mails.at(-1)!.parsed.subject?.replace('\u2060', '')).toBe(subject);
});
