import { MailDetail, pageAnswer } from '@roster/contract';
import { describe, expect, test } from 'vitest';
import { deleteOldMails } from '#features/mails/mail-upkeep.ts';
import { expectShape } from '../operator/shape.ts';
import { forFile } from '../support/for-file.ts';
import { type Answer, startTestService } from '../support/service.ts';
import { writeMail } from './support.ts';

let now = new Date('2026-01-31T09:00:00Z');

const service = await forFile(startTestService({ worker: false, now: () => now }));
const account = await service.createAccount();
const other = await service.createAccount();
const ids: string[] = [];
for (let count = 0; count < 7; count++) ids.push(await writeMail(service.context, account));
await setStatus(ids[1]!, 'failed');
await setStatus(ids[4]!, 'failed');
await setStatus(ids[5]!, 'pending');

async function setStatus(mailId: string, status: 'failed' | 'pending'): Promise<void> {
  await service.context.pool.query(
    `update mails set status = $2, attempts = 2, last_error = 'recipient_refused', last_reply = '550 5.1.1',
       next_attempt_at = case when $2 = 'pending' then $3::timestamptz end where mail_id = $1`,
    [mailId, status, now],
  );
}

const idsOf = ({ body }: Answer) => (body.data as { mail_id: string }[]).map(({ mail_id }) => mail_id);
const reversed = (list: readonly string[]) => [...list].reverse();

describe('the list of mails', () => {
  test('is newest first, without the texts', async () => {
    const answer = await account.operator('GET', '/mails');
    expect(answer.status).toBe(200);
    expectShape(pageAnswer('MailSummary'), answer.body);
    expect(idsOf(answer)).toEqual(reversed(ids));
    expect(answer.body.data[2]).toEqual({
      mail_id: ids[4],
      template: 'export_finished',
      to: 'asha@example.com',
      subject: 'The export of the list “Newsletter” is ready',
      status: 'failed',
      attempts: 2,
      last_error: {
        code: 'recipient_refused',
        message: 'The mail server refused the recipient permanently.',
        reply: '550 5.1.1',
      },
      created_at: '2026-01-31T09:00:00.000Z',
      sent_at: null,
      next_attempt_at: null,
    });
  });

  test('shows mails of one status', async () => {
    expect(idsOf(await account.operator('GET', '/mails?status=failed'))).toEqual([ids[4], ids[1]]);
    expect(idsOf(await account.operator('GET', '/mails?status=PENDING'))).toEqual([ids[5]]);
    expect(idsOf(await account.operator('GET', '/mails?status=sent'))).toEqual([]);
    expect(await account.operator('GET', '/mails?status=lost')).toMatchObject({ status: 400 });
  });

  test.each([
    ['', () => reversed(ids)],
    ['&status=failed', () => [ids[4], ids[1]]],
  ])('continues after the previous page while mails are written (query "%s")', async (filter, expected) => {
    const seen: string[] = [];
    const written: string[] = [];
    const wanted = reversed(written).concat(expected() as string[]);
    for (let cursor: string | null = ''; cursor !== null;) {
      const place: string = cursor === '' ? '' : `&cursor=${cursor}`;
      const page = await account.operator('GET', `/mails?limit=1${filter}${place}`);
      seen.push(...idsOf(page));
      cursor = page.body.next_cursor;
      written.push(await writeMail(service.context, account));
    }
    expect(seen).toEqual(wanted);
    await service.context.pool.query('delete from mails where mail_id = any($1)', [written]);
  });

  test('refuses an invalid cursor', async () => {
    const fault = { errors: [{ field: 'cursor', code: 'invalid_format' }] };
    for (const cursor of [
      'x',
      Buffer.from('[1]').toString('base64url'),
      Buffer.from('[1,2,2e12]').toString('base64url'),
    ]) {
      expect(await account.operator('GET', `/mails?cursor=${cursor}`)).toMatchObject({ status: 400, body: fault });
    }
  });
});

describe('a single mail', () => {
  test('includes its texts, so that an operator can read a mail that was not sent', async () => {
    const { status, body } = await account.operator('GET', `/mails/${ids[0]!.toUpperCase()}`);
    expect(status).toBe(200);
    expectShape(MailDetail, body);
    expect(body).toMatchObject({
      mail_id: ids[0],
      status: 'stored',
      text: expect.stringContaining('Download the file:\nhttps://roster.example.com/files/a\n'),
      html: expect.stringMatching(/^<!doctype html>/),
    });
  });

  test('is 404 in another account, and not in the list of that account', async () => {
    expect((await other.operator('GET', `/mails/${ids[0]}`)).status).toBe(404);
    expect(idsOf(await other.operator('GET', '/mails'))).toEqual([]);
    const nobody = await service.operator('GET', `/accounts/999/mails/${ids[0]}`);
    expect(nobody.status).toBe(404);
    expect((await service.operator('GET', '/accounts/999/mails')).status).toBe(404);
    expect((await account.operator('GET', '/mails/17')).status).toBe(404);
  });

  test('refuses an API key, because no scope permits it', async () => {
    const path = `/admin/v1/accounts/${account.accountId}/mails`;
    for (const url of [path, `${path}/${ids[0]}`]) {
      expect((await service.call('GET', url, { headers: { 'api-key': account.apiKey } })).status).toBe(403);
    }
  });
});

test('a mail of any account is deleted after 30 days, unless it is still pending', async () => {
  const mine = await writeMail(service.context, other);
  await service.context.pool.query(
    `insert into mails (account_id, mail_id, template, recipient, subject, plain_text, html, status, created_at)
     select $1, gen_random_uuid(), 'export_finished', 'asha@example.com', 's', 't', 'h', 'stored', $2 from generate_series(1, 2500)`,
    [other.accountId, now],
  );
  const { signal } = new AbortController();
  const left = async () => (await service.context.pool.query('select mail_id from mails')).rows.length;

  now = new Date(now.getTime() + 30 * 86_400_000);
  await deleteOldMails(service.context, signal);
  expect(await left()).toBe(ids.length + 2501);

  const young = await writeMail(service.context, other);
  now = new Date(now.getTime() + 1);
  await deleteOldMails(service.context, signal);
  expect(idsOf(await account.operator('GET', '/mails'))).toEqual([ids[5]]);
  expect(idsOf(await other.operator('GET', '/mails'))).toEqual([young]);
  expect((await other.operator('GET', `/mails/${mine}`)).status).toBe(404);
});
