import { describe, expect, test } from 'vitest';
import { ConfigError, readConfig } from './config.ts';
import { readMailSender } from './mail-sender.ts';
import { readSmtpServer } from './smtp-server.ts';

describe('SMTP_URL', () => {
  test('SMTP_URL has the usual default ports, and uses STARTTLS if the server offers it', () => {
    const plain = { host: 'mail.example.com', port: 587, tls: 'offered', verifyCertificate: true };
    expect(readSmtpServer('smtp://mail.example.com')).toEqual(plain);
    expect(readSmtpServer('smtp://mail.example.com:25/')).toEqual({ ...plain, port: 25 });
    expect(readSmtpServer('smtps://mail.example.com')).toEqual({ ...plain, port: 465, tls: 'implicit' });
    expect(readSmtpServer('smtp://[::1]:2525').host).toBe('::1');
  });

  test('SMTP_URL decodes the login, and requires TLS for it by default', () => {
    const server = readSmtpServer('smtp://asha%40example.com:p%2Fa%23s%25s@mail.example.com');
    expect(server).toMatchObject({ tls: 'required', login: { user: 'asha@example.com', password: 'p/a#s%s' } });
    expect(readSmtpServer('smtp://a:b@localhost?ignoreTLS=true').tls).toBe('never');
    expect(readSmtpServer('smtp://a:b@localhost?requireTLS=false').tls).toBe('offered');
    expect(readSmtpServer('smtp://localhost?requireTLS=true').tls).toBe('required');
    expect(readSmtpServer('smtps://a:b@localhost?ignoreTLS=true').tls).toBe('implicit');
  });

  test('SMTP_URL accepts a client name and an option to accept any certificate', () => {
    const server = readSmtpServer('smtp://localhost?name=roster.example.com&tls.rejectUnauthorized=false');
    expect(server).toMatchObject({ clientName: 'roster.example.com', verifyCertificate: false });
  });

  test.each([
    'mail.example.com:587',
    'http://mail.example.com',
    'smtp://',
    'smtp://mail.example.com/inbox',
    'smtp://mail.example.com#part',
    'smtp://user:sec/ret@mail.example.com',
    'smtp://user:sec#ret@mail.example.com',
    'smtp://user:sec%ret@mail.example.com',
    'smtp://user@mail.example.com',
    'smtp://:secret@mail.example.com',
    'smtp://mail.example.com:99999',
    'smtp://mail.example.com?logger=true',
    'smtp://mail.example.com?debug=true',
    'smtp://mail.example.com?requireTLS=yes',
    'smtp://mail.example.com?requireTLS=true&ignoreTLS=true',
    'smtp://mail.example.com?name=a%0d%0ab',
  ])('is refused without showing its secret parts: %s', (text) => {
    expect(() => readConfig({ SMTP_URL: text, ROSTER_MAIL_FROM: 'roster@example.com' })).toThrow(ConfigError);
    expect(() => readSmtpServer(text)).not.toThrow(/sec.?ret|inbox|99999|logger/);
  });

  test('SMTP_URL needs ROSTER_MAIL_FROM, and an invalid ROSTER_MAIL_FROM is the only fault', () => {
    const SMTP_URL = 'smtp://mail.example.com';
    const faultsOf = (env: Record<string, string>) => {
      try {
        readConfig(env);
        return [];
      } catch (error) {
        return (error as ConfigError).faults;
      }
    };
    expect(faultsOf({ SMTP_URL })).toEqual([expect.stringMatching(/^SMTP_URL needs ROSTER_MAIL_FROM/)]);
    expect(faultsOf({ SMTP_URL, ROSTER_MAIL_FROM: ' ' })).toHaveLength(1);
    expect(faultsOf({ SMTP_URL, ROSTER_MAIL_FROM: 'nobody' })).toEqual([
      expect.stringMatching(/^ROSTER_MAIL_FROM must/),
    ]);
    expect(faultsOf({ SMTP_URL, ROSTER_MAIL_FROM: 'roster@example.com' })).toEqual([]);
    expect(faultsOf({ ROSTER_MAIL_FROM: 'roster@example.com' })).toEqual([]);
  });
});

describe('ROSTER_MAIL_FROM', () => {
  test.each([
    ['roster@example.com', { address: 'roster@example.com' }],
    ['<roster@example.com>', { address: 'roster@example.com' }],
    ['Roster <roster@example.com>', { address: 'roster@example.com', name: 'Roster' }],
    ['"Roster, at work" <roster@example.com>', { address: 'roster@example.com', name: 'Roster, at work' }],
    ['रोस्टर <roster@example.com>', { address: 'roster@example.com', name: 'रोस्टर' }],
  ])('may be %s', (text, sender) => expect(readMailSender(text)).toEqual(sender));

  test.each([
    'roster',
    'roster@',
    'a@example.com, b@example.com',
    'a@example.com b@example.com',
    'Roster <a@example.com>, Other <b@example.com>',
    'other@example.com <roster@example.com>',
    'Roster <roster@example.com> extra',
    'Ros\r\nBcc: x@example.com <roster@example.com>',
    'Ros\u2028ter <roster@example.com>',
    `${'x'.repeat(101)} <roster@example.com>`,
    'roster@example.com\n',
  ])('must not be %j', (text) => expect(() => readMailSender(text)).toThrow(/^(must be an address|must have a name)/));
});
