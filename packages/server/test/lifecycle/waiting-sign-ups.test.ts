import { expect, test } from 'vitest';
import { forFile } from '../support/for-file.ts';
import { startTestService } from '../support/service.ts';

let now = new Date('2026-03-01T10:00:00Z');

const service = await forFile(startTestService({ now: () => now }));

test('sign-ups that wait are listed newest first, page by page, until they expire', async () => {
  const { first: account } = service;
  const other = await service.createAccount();
  for (const name of ['one', 'two', 'three']) {
    expect((await account.operator('POST', '/sign-ups', { email: `${name}@example.com` })).status).toBe(201);
  }
  const page = (await account.operator('GET', '/sign-ups?limit=2')).body;
  expect(page.data.map(({ email }: { email: string }) => email)).toEqual(['three@example.com', 'two@example.com']);
  const rest = (await account.operator('GET', `/sign-ups?limit=2&cursor=${page.next_cursor}`)).body;
  expect(rest.data).toEqual([
    {
      sign_up_id: expect.any(String),
      email: 'one@example.com',
      created_at: '2026-03-01T10:00:00.000Z',
      expires_at: '2026-03-03T10:00:00.000Z',
    },
  ]);
  expect((await other.operator('GET', '/sign-ups')).body.data).toEqual([]);
  now = new Date('2026-03-03T10:00:00Z');
  expect((await account.operator('GET', '/sign-ups')).body.data).toEqual([]);
});
