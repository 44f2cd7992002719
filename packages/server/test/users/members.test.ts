import { describe, expect, test } from 'vitest';
import { hour } from '#platform/time/intervals.ts';
import { forFile } from '../support/for-file.ts';
import { startTestService } from '../support/service.ts';
import { goodPassword, openBrowser, owner, signedInOwner, startSecondProcess, type Browser } from './support.ts';

let now = new Date('2026-03-01T08:00:00Z');

const service = await forFile(startTestService({ worker: false, now: () => now }));
await service.createAccount({ name: 'Second' });
const ownerBrowser = await signedInOwner(service);

/** Invites a person, and returns the token of the link. */
async function invite(email: string, role = 'viewer', more: object = {}, by = ownerBrowser): Promise<string> {
  const answer = await by.send('POST', '/accounts/1/invitations', { email, role, ...more });
  expect(answer.status, JSON.stringify(answer.body)).toBe(201);
  return answer.body.link.split('#token=')[1];
}

/** Creates a member of account 1, and returns the browser in which the member is signed in. */
async function member(email: string, role = 'viewer', more: object = {}): Promise<Browser & { userId: number }> {
  const token = await invite(email, role, more);
  const browser = openBrowser(service);
  const answer = await browser.send('POST', '/invitations/accept', { token, name: email, password: goodPassword });
  expect(answer.status, JSON.stringify(answer.body)).toBe(200);
  return { ...browser, userId: answer.body.person.user_id };
}

const ownerId = 1;

describe('an invitation', () => {
  test('makes a new person a member, with the role and the permissions of the role', async () => {
    const token = await invite('lena@example.com', 'editor');
    const browser = openBrowser(service);

    const offer = await browser.send('POST', '/invitations/look-up', { token });
    expect(offer.body).toMatchObject({
      account_id: 1,
      account_name: 'First account',
      email: 'lena@example.com',
      role: 'editor',
      has_user: false,
    });
    const accepted = await browser.send('POST', '/invitations/accept', { token, name: 'Lena', password: goodPassword });

    expect(accepted.body.person.accounts).toMatchObject([{ account_id: 1, role: 'editor', unmasked: false }]);
    expect(accepted.body.person.accounts[0].permissions).toContain('contacts:write');
    expect(accepted.body.person.accounts[0].permissions).not.toContain('members:read');
    expect((await browser.send('GET', '/accounts/1/lists')).status).toBe(200);
    expect((await browser.send('GET', '/accounts/2/lists')).status).toBe(404);
    expect((await browser.send('GET', '/accounts/1/members')).status).toBe(403);
    expect((await browser.send('GET', '/users')).status).toBe(403);
    const { body } = await service.first.operator('GET', '/audit-log');
    expect(body.data.slice(0, 2)).toMatchObject([
      { action: 'member.add', details: { role: 'editor', unmasked: false } },
      { action: 'invitation.create', actor: `user:${ownerId}` },
    ]);
    expect(JSON.stringify(body.data)).not.toContain('lena@example.com');
  });

  test('works once, also for many requests at the same time', async () => {
    const token = await invite('once@example.com');
    const body = { token, name: 'Once', password: goodPassword };
    const answers = await Promise.all(
      Array.from({ length: 4 }, () => openBrowser(service).send('POST', '/invitations/accept', body)),
    );
    const statuses = answers.map(({ status }) => status).sort((a, b) => a - b);
    expect(statuses[0]).toBe(200);
    for (const status of statuses.slice(1)) expect([409, 410]).toContain(status);
    const { rows } = await service.context.pool.query(`select from users where email = 'once@example.com'`);
    expect(rows).toHaveLength(1);
    expect((await openBrowser(service).send('POST', '/invitations/look-up', { token })).status).toBe(410);
  });

  test('expires after 7 days, and a new one replaces it', async () => {
    const former = await invite('late@example.com');
    const token = await invite('LATE@example.com', 'privacy');
    expect((await openBrowser(service).send('POST', '/invitations/look-up', { token: former })).status).toBe(410);
    const start = now;
    now = new Date(start.getTime() + 7 * 24 * hour);
    expect((await openBrowser(service).send('POST', '/invitations/look-up', { token })).status).toBe(410);
    now = start;
    const open = (await ownerBrowser.send('GET', '/accounts/1/invitations')).body.data;
    expect(open).toMatchObject([{ email: 'LATE@example.com', role: 'privacy', status: 'open', author: 'user:1' }]);
    const path = `/accounts/1/invitations/${open[0].invitation_id}`;
    expect((await ownerBrowser.send('DELETE', path.replace('/1/', '/2/'))).status).toBe(404);
    expect((await ownerBrowser.send('DELETE', path)).status).toBe(204);
    expect((await ownerBrowser.send('DELETE', path)).status).toBe(404);
    expect((await openBrowser(service).send('POST', '/invitations/look-up', { token })).status).toBe(410);
  });

  test('needs a name and a good password for a new person', async () => {
    const token = await invite('needs@example.com');
    const send = (more: object) => openBrowser(service).send('POST', '/invitations/accept', { token, ...more });
    expect((await send({ password: goodPassword })).body.errors).toMatchObject([{ field: 'name' }]);
    expect((await send({ name: 'N' })).body.errors).toMatchObject([{ field: 'password' }]);
    expect((await send({ name: 'N', password: 'needs@example.com' })).body.errors).toMatchObject([
      { field: 'password' },
    ]);
    expect(
      (
        await openBrowser(service).send('POST', '/invitations/accept', {
          token: 'x',
          name: 'N',
          password: goodPassword,
        })
      ).status,
    ).toBe(410);
  });

  test('is accepted by an existing user only while signed in', async () => {
    const both = await member('both@example.com');
    const made = await ownerBrowser.send('POST', '/accounts/2/invitations', {
      email: 'Both@example.com',
      role: 'admin',
    });
    const token = made.body.link.split('#token=')[1];
    const stranger = openBrowser(service);
    expect((await stranger.send('POST', '/invitations/look-up', { token })).body.has_user).toBe(true);
    expect(
      (await stranger.send('POST', '/invitations/accept', { token, name: 'X', password: goodPassword })).status,
    ).toBe(409);
    // Somebody else is signed in: neither this person nor a new one may take the invitation.
    for (const more of [{}, { name: 'X', password: goodPassword }]) {
      const refused = await ownerBrowser.send('POST', '/invitations/accept', { token, ...more });
      expect(refused).toMatchObject({ status: 409, body: { description: expect.stringContaining('Sign out') } });
    }
    const accepted = await both.send('POST', '/invitations/accept', { token });
    expect(accepted.body.person.accounts.map((one: { role: string }) => one.role)).toEqual(['viewer', 'admin']);
  });

  test('of an owner can be neither withdrawn nor replaced by an admin', async () => {
    const email = 'new-owner@example.com';
    const token = await invite(email, 'owner', { unmasked: true });
    const admin = await member('replacing@example.com', 'admin');
    const { data } = (await ownerBrowser.send('GET', '/accounts/1/invitations?limit=200')).body;
    const { invitation_id: id } = data.find((one: { email: string }) => one.email === email);
    const withdrawn = await admin.send('DELETE', `/accounts/1/invitations/${id}`);
    for (const body of [
      { email, role: 'viewer' },
      { email: 'NEW-OWNER@example.com', role: 'admin' },
    ]) {
      const replaced = await admin.send('POST', '/accounts/1/invitations', body);
      expect(replaced.status).toBe(403);
      expect(replaced.body.errors).toEqual(withdrawn.body.errors);
      expect(replaced.body.description).toBe(withdrawn.body.description);
    }
    expect((await openBrowser(service).send('POST', '/invitations/look-up', { token })).body).toMatchObject({
      email,
      role: 'owner',
    });
    // An owner can replace it.
    await invite(email, 'viewer');
    expect((await openBrowser(service).send('POST', '/invitations/look-up', { token })).status).toBe(410);
  });

  test('with unmasked values does not let an admin grant them again by replacing it', async () => {
    const email = 'sees-all@example.com';
    await invite(email, 'viewer', { unmasked: true });
    const admin = await member('granting@example.com', 'admin');
    const replace = (unmasked: boolean) =>
      admin.send('POST', '/accounts/1/invitations', { email, role: 'viewer', unmasked });
    expect((await replace(true)).status).toBe(403);
    expect((await replace(false)).status).toBe(201);
  });

  test('is refused for an address that is a member', async () => {
    const answer = await ownerBrowser.send('POST', '/accounts/1/invitations', {
      email: 'ASHA@example.com',
      role: 'viewer',
    });
    expect(answer.status).toBe(409);
  });
});

describe('the invitation of a person who', () => {
  /** Returns whether an invitation counts everywhere; throws if it counts in one place only. */
  async function counts(token: string, email: string): Promise<boolean> {
    const lookedUp = await openBrowser(service).send('POST', '/invitations/look-up', { token });
    // Accepting stops at the missing name, after the invitation was found.
    const accepted = await openBrowser(service).send('POST', '/invitations/accept', { token });
    const listed = (await ownerBrowser.send('GET', '/accounts/1/invitations?limit=200')).body.data as {
      email: string;
    }[];
    const isListed = listed.some((one) => one.email === email);
    const expected = isListed ? [200, 400] : [410, 410];
    expect([lookedUp.status, accepted.status]).toEqual(expected);
    return isListed;
  }

  let made = 0;
  async function authored(role: string, granted: string, more: object = {}) {
    made++;
    const author = await member(`author${made}@example.com`, role);
    const email = `invited${made}@example.com`;
    const token = await invite(email, granted, more, author);
    expect(await counts(token, email)).toBe(true);
    return { userPath: `/users/${author.userId}`, path: `/accounts/1/members/${author.userId}`, token, email };
  }

  test('was removed counts as withdrawn', async () => {
    const { path, token, email } = await authored('owner', 'owner', { unmasked: true });
    const list = (await ownerBrowser.send('GET', '/accounts/1/invitations?limit=200')).body.data as {
      invitation_id: number;
      email: string;
    }[];
    const { invitation_id: id } = list.find((one) => one.email === email)!;
    expect((await ownerBrowser.send('DELETE', path)).status).toBe(204);
    expect(await counts(token, email)).toBe(false);
    expect((await ownerBrowser.send('DELETE', `/accounts/1/invitations/${id}`)).status).toBe(404);
    const signedIn = await member(`other-${email}`);
    expect((await signedIn.send('POST', '/invitations/accept', { token })).status).toBe(410);
    // Another person can invite the same address again.
    const again = await invite(email, 'viewer');
    expect(await counts(again, email)).toBe(true);
  });

  test('was lowered counts only if the person may still grant the rights', async () => {
    for (const [granted, more, role, expected] of [
      ['owner', {}, 'admin', false],
      ['viewer', { unmasked: true }, 'admin', false],
      ['admin', {}, 'admin', true],
      ['viewer', {}, 'editor', false],
    ] as const) {
      const { path, token, email } = await authored('owner', granted, more);
      expect((await ownerBrowser.send('PATCH', path, { role })).status).toBe(200);
      expect(await counts(token, email)).toBe(expected);
      expect((await ownerBrowser.send('PATCH', path, { role: 'owner' })).status).toBe(200);
      expect(await counts(token, email)).toBe(true);
      expect((await ownerBrowser.send('DELETE', path)).status).toBe(204);
    }
  });

  test('is disabled does not count while this lasts', async () => {
    const { userPath, token, email } = await authored('admin', 'admin');
    await ownerBrowser.send('PATCH', userPath, { is_disabled: true });
    expect(await counts(token, email)).toBe(false);
    await ownerBrowser.send('PATCH', userPath, { is_disabled: false });
    expect(await counts(token, email)).toBe(true);
  });

  test('was deleted counts as withdrawn', async () => {
    const { userPath, token, email } = await authored('admin', 'viewer');
    expect((await ownerBrowser.send('DELETE', userPath)).status).toBe(204);
    expect(await counts(token, email)).toBe(false);
  });

  test('is not a person always counts', async () => {
    const invited = await service.first.operator('POST', '/invitations', { email: 'op@example.com', role: 'owner' });
    expect(await counts(invited.body.link.split('#token=')[1], 'op@example.com')).toBe(true);
  });

  test('was removed leaves no short page in the list of invitations', async () => {
    const { path } = await authored('admin', 'viewer');
    await invite('page@example.com');
    expect((await ownerBrowser.send('DELETE', path)).status).toBe(204);
    const all = (await ownerBrowser.send('GET', '/accounts/1/invitations?limit=200')).body.data as object[];
    const pages: object[] = [];
    for (let cursor = ''; ;) {
      const { body } = await ownerBrowser.send('GET', `/accounts/1/invitations?limit=1${cursor}`);
      expect(body.data).toHaveLength(1);
      pages.push(...body.data);
      if (body.next_cursor === null) break;
      cursor = `&cursor=${body.next_cursor}`;
    }
    expect(pages).toEqual(all);
    expect(all.length).toBeGreaterThan(1);
  });
});

describe('the rights of members', () => {
  test('change at once in every process while a session is open', async () => {
    await using other = await startSecondProcess(service);
    const editor = await member('demoted@example.com', 'editor');
    const list = () => editor.at(other).send('POST', '/accounts/1/lists', { name: `List ${Math.random()}` });
    expect((await list()).status).toBe(201);

    const path = `/accounts/1/members/${editor.userId}`;
    expect((await ownerBrowser.send('PATCH', path, { role: 'viewer' })).body).toMatchObject({ role: 'viewer' });
    expect((await list()).status).toBe(403);

    expect((await ownerBrowser.send('DELETE', path)).status).toBe(204);
    expect((await list()).status).toBe(404);
    expect((await ownerBrowser.send('DELETE', path)).status).toBe(404);
  });

  test('of an owner cannot be touched by an admin, who can neither make owners nor grant unmasked values', async () => {
    const admin = await member('admin@example.com', 'admin');
    const viewer = await member('touched@example.com');
    const patch = (userId: number, body: object) => admin.send('PATCH', `/accounts/1/members/${userId}`, body);

    expect((await patch(ownerId, { role: 'viewer' })).status).toBe(403);
    expect((await admin.send('DELETE', `/accounts/1/members/${ownerId}`)).status).toBe(403);
    expect((await patch(viewer.userId, { role: 'owner' })).status).toBe(403);
    expect((await patch(viewer.userId, { unmasked: true })).status).toBe(403);
    expect((await patch(admin.userId, { role: 'owner' })).status).toBe(403);
    expect((await patch(admin.userId, { unmasked: true })).status).toBe(403);
    for (const body of [{ role: 'owner' }, { role: 'viewer', unmasked: true }]) {
      const invited = await admin.send('POST', '/accounts/1/invitations', { email: 'second@example.com', ...body });
      expect(invited.status).toBe(403);
    }
    expect((await patch(viewer.userId, { role: 'editor' })).status).toBe(200);
    expect(
      (await admin.send('POST', '/accounts/1/invitations', { email: 'second@example.com', role: 'admin' })).status,
    ).toBe(201);
    // Nobody raises the own role, and lowering it is allowed.
    expect((await patch(admin.userId, { role: 'viewer' })).status).toBe(200);
    expect((await patch(admin.userId, { role: 'admin' })).status).toBe(403);
  });

  test('include unmasked values only if an owner grants them', async () => {
    const viewer = await member('unmasked@example.com', 'viewer', { unmasked: true });
    const { body } = await viewer.send('GET', '/session');
    expect(body.person.accounts[0].permissions).toContain('unmasked');
    await ownerBrowser.send('PATCH', `/accounts/1/members/${viewer.userId}`, { unmasked: false });
    expect((await viewer.send('GET', '/session')).body.person.accounts[0].permissions).not.toContain('unmasked');
  });

  test('are listed with the last use and the second factor', async () => {
    const { body } = await ownerBrowser.send('GET', '/accounts/1/members?limit=1');
    expect(body.data).toMatchObject([
      { user_id: ownerId, email: owner.email, role: 'owner', has_second_factor: false, is_disabled: false },
    ]);
    const next = await ownerBrowser.send('GET', `/accounts/1/members?limit=1&cursor=${body.next_cursor}`);
    expect(next.body.data[0].user_id).toBeGreaterThan(ownerId);
  });

  test('need at least one field, and known roles', async () => {
    for (const body of [{}, { role: 'king' }, { role: null }, { name: 'x' }]) {
      expect((await ownerBrowser.send('PATCH', `/accounts/1/members/${ownerId}`, body)).status).toBe(400);
    }
  });
});

describe('the last owner', () => {
  test('can neither leave, nor be lowered or removed', async () => {
    expect((await ownerBrowser.send('POST', '/me/leave', { account_id: 1 })).status).toBe(409);
    expect((await ownerBrowser.send('PATCH', `/accounts/1/members/${ownerId}`, { role: 'admin' })).status).toBe(409);
    expect((await ownerBrowser.send('DELETE', `/accounts/1/members/${ownerId}`)).status).toBe(409);
    expect((await service.first.operator('DELETE', `/members/${ownerId}`)).status).toBe(409);
  });

  test('stays if two owners leave at the same time', async () => {
    await using other = await startSecondProcess(service);
    for (let round = 0; round < 3; round++) {
      const second = await member(`owner${round}@example.com`, 'owner', { unmasked: true });
      const leave = (browser: Browser) => browser.send('POST', '/me/leave', { account_id: 1 });
      const answers = await Promise.all([leave(ownerBrowser), leave(second.at(other))]);
      expect(answers.map(({ status }) => status).sort((a, b) => a - b)).toEqual([204, 409]);
      const { rows } = await service.context.pool.query<{ user_id: number }>(
        `select user_id from memberships where account_id = 1 and role = 'owner'`,
      );
      expect(rows).toHaveLength(1);
      // Make the first owner the only owner again.
      await service.context.pool.query(`delete from memberships where account_id = 1 and role = 'owner'`);
      await service.context.pool.query(
        `insert into memberships (account_id, user_id, role, unmasked, created_at) values (1, $1, 'owner', true, now())`,
        [ownerId],
      );
    }
  });

  test('stays if one owner leaves while an administrator deletes the other', async () => {
    await using other = await startSecondProcess(service);
    for (let round = 0; round < 3; round++) {
      const account = (await service.createAccount({ name: 'Two owners' })).accountId;
      const owners = [await member(`a${round}@example.com`), await member(`b${round}@example.com`)] as const;
      await service.context.pool.query(
        `insert into memberships (account_id, user_id, role, created_at) select $1, unnest($2::int[]), 'owner', now()`,
        [account, owners.map(({ userId }) => userId)],
      );
      const answers = await Promise.all([
        owners[0].at(other).send('POST', '/me/leave', { account_id: account }),
        ownerBrowser.send('DELETE', `/users/${owners[1].userId}`),
      ]);
      expect(answers.map(({ status }) => status).sort((a, b) => a - b)).toEqual([204, 409]);
      const { rows } = await service.context.pool.query('select from memberships where account_id = $1', [account]);
      expect(rows).toHaveLength(1);
    }
  });

  test('does not stop a member from leaving', async () => {
    const viewer = await member('leaving@example.com');
    expect((await viewer.send('POST', '/me/leave', { account_id: 1 })).status).toBe(204);
    expect((await viewer.send('POST', '/me/leave', { account_id: 1 })).status).toBe(404);
    expect((await viewer.send('GET', '/accounts/1/lists')).status).toBe(404);
  });
});

describe('the users of the installation', () => {
  test('can be disabled and enabled, which ends sessions at once', async () => {
    const viewer = await member('disabled@example.com');
    const path = `/users/${viewer.userId}`;
    expect((await ownerBrowser.send('PATCH', path, { is_disabled: true })).body).toMatchObject({ is_disabled: true });
    expect((await viewer.send('GET', '/accounts/1/lists')).status).toBe(401);
    expect((await ownerBrowser.send('PATCH', path, { is_disabled: false })).body).toMatchObject({ is_disabled: false });
    expect((await viewer.send('GET', '/accounts/1/lists')).status).toBe(401);
    const list = (await ownerBrowser.send('GET', '/users')).body.data as { user_id: number }[];
    expect(list.map(({ user_id: id }) => id)).toContain(viewer.userId);
    expect((await ownerBrowser.send('PATCH', '/users/99999', { is_disabled: true })).status).toBe(404);
  });

  test('keep one installation administrator, also if two lower each other', async () => {
    const own = `/users/${ownerId}`;
    expect((await ownerBrowser.send('PATCH', own, { is_installation_admin: false })).status).toBe(409);
    expect((await ownerBrowser.send('PATCH', own, { is_disabled: true })).status).toBe(409);
    const second = await member('admin2@example.com', 'viewer');
    await ownerBrowser.send('PATCH', `/users/${second.userId}`, { is_installation_admin: true });
    expect((await second.send('GET', '/accounts/2/lists')).status).toBe(200);
    const answers = await Promise.all([
      ownerBrowser.send('PATCH', `/users/${second.userId}`, { is_installation_admin: false }),
      second.send('PATCH', own, { is_installation_admin: false }),
    ]);
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    await service.context.pool.query('update users set is_installation_admin = (user_id = $1)', [ownerId]);
  });

  test('are listed with their accounts, and found by a part of the name or the address', async () => {
    const viewer = await member('Zoe.Find@example.com');
    const search = async (text: string) =>
      (await ownerBrowser.send('GET', `/users?contains=${encodeURIComponent(text)}`)).body.data as object[];
    expect(await search('zoe.FIND')).toEqual([
      {
        user_id: viewer.userId,
        name: 'Zoe.Find@example.com',
        email: 'Zoe.Find@example.com',
        is_installation_admin: false,
        is_disabled: false,
        has_password: true,
        has_second_factor: false,
        accounts: [{ account_id: 1, name: 'First account', role: 'viewer', unmasked: false }],
        session_count: 1,
        last_seen_at: now.toISOString(),
        created_at: now.toISOString(),
      },
    ]);
    expect(await search('%')).toEqual([]);
    expect(await search('asha rao')).toHaveLength(1);
    const first = await ownerBrowser.send('GET', '/users?contains=example&limit=1');
    const second = await ownerBrowser.send('GET', `/users?contains=example&limit=1&cursor=${first.body.next_cursor}`);
    expect(second.body.data[0].user_id).toBeGreaterThan(first.body.data[0].user_id);
  });

  test('lose their sessions at once, and can sign in again', async () => {
    await using other = await startSecondProcess(service);
    const viewer = await member('ended@example.com');
    expect((await ownerBrowser.send('DELETE', `/users/${viewer.userId}/sessions`)).status).toBe(204);
    expect((await viewer.at(other).send('GET', '/accounts/1/lists')).status).toBe(401);
    const again = await openBrowser(service).send('POST', '/session', {
      email: 'ended@example.com',
      password: goodPassword,
    });
    expect(again.body.status).toBe('signed_in');
    expect((await ownerBrowser.send('DELETE', '/users/99999/sessions')).status).toBe(404);
  });

  test('are deleted with everything that is theirs, but not the last owner, the last administrator or oneself', async () => {
    const viewer = await member('gone@example.com');
    const view = { name: 'Mine', page: 'contacts', state: {}, shared: false };
    expect((await viewer.send('POST', '/accounts/1/views', view)).status).toBe(201);
    const path = `/users/${viewer.userId}`;
    expect((await viewer.send('DELETE', path)).status).toBe(403);
    expect((await ownerBrowser.send('DELETE', path)).status).toBe(204);
    expect((await ownerBrowser.send('DELETE', path)).status).toBe(404);
    expect((await viewer.send('GET', '/accounts/1/lists')).status).toBe(401);
    const { rows } = await service.context.pool.query('select from saved_views where user_id = $1', [viewer.userId]);
    expect(rows).toEqual([]);
    expect((await service.first.operator('GET', '/audit-log?limit=1')).body.data).toMatchObject([
      {
        action: 'member.remove',
        subject: `user:${viewer.userId}`,
        actor: `user:${ownerId}`,
        details: { role: 'viewer', reason: 'user_deleted' },
      },
    ]);

    expect((await ownerBrowser.send('DELETE', `/users/${ownerId}`)).status).toBe(409);
    expect((await service.operator('DELETE', `/users/${ownerId}`)).body.description).toContain('last installation');
    const admin = await member('admin3@example.com', 'viewer');
    await ownerBrowser.send('PATCH', `/users/${admin.userId}`, { is_installation_admin: true });
    expect((await admin.send('DELETE', `/users/${ownerId}`)).body.description).toContain('last owner of account 1');
    expect((await ownerBrowser.send('DELETE', `/users/${admin.userId}`)).status).toBe(204);
  });
});

test('a person without a role in any account sees an empty list of accounts', async () => {
  const viewer = await member('alone@example.com');
  expect((await viewer.send('POST', '/me/leave', { account_id: 1 })).status).toBe(204);
  expect(await viewer.send('GET', '/accounts')).toMatchObject({ status: 200, body: { data: [], next_cursor: null } });
});

test('an invitation to an account that is being deleted is no longer valid', async () => {
  const { body } = await service.operator('POST', '/accounts', { name: 'Closing' });
  const path = `/accounts/${body.account_id}`;
  const made = await service.operator('POST', `${path}/invitations`, { email: 'late@example.com', role: 'viewer' });
  const token = made.body.link.split('#token=')[1];
  expect((await openBrowser(service).send('POST', '/invitations/look-up', { token })).status).toBe(200);
  expect((await service.operator('DELETE', `${path}?name=Closing`)).status).toBe(200);
  expect((await openBrowser(service).send('POST', '/invitations/look-up', { token })).status).toBe(410);
  const accept = { token, name: 'Late', password: goodPassword };
  expect((await openBrowser(service).send('POST', '/invitations/accept', accept)).status).toBe(410);
});

test('a person who creates an account becomes its owner, and the operator token makes nobody an owner', async () => {
  const made = await ownerBrowser.send('POST', '/accounts', { name: 'Third' });
  expect(made.status).toBe(201);
  const id = made.body.account_id;
  expect((await ownerBrowser.send('GET', `/accounts/${id}/members`)).body.data).toMatchObject([
    { user_id: ownerId, role: 'owner', unmasked: false },
  ]);
  expect((await ownerBrowser.send('GET', `/accounts/${id}/audit-log`)).body.data).toContainEqual(
    expect.objectContaining({ action: 'member.add', actor: `user:${ownerId}`, subject: `user:${ownerId}` }),
  );
  const other = await service.operator('POST', '/accounts', { name: 'Fourth' });
  expect((await ownerBrowser.send('GET', `/accounts/${other.body.account_id}/members`)).body.data).toEqual([]);
});
