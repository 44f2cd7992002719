import { readFileSync } from 'node:fs';
import { contactTypes, type ContactType } from '@roster/contract';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { move, moves, type MoveCause } from '#features/contacts/model/contact-type-moves.ts';
import { startTestService, type TestAccount, type TestService } from '../support/service.ts';

const causes = Object.keys(moves) as MoveCause[];
const guide = readFileSync(new URL('../../../../docs/lifecycle.md', import.meta.url), 'utf8');

/** Returns the rows of the first table whose header has these columns, without the quotes of code. */
function rowsBelow(...header: readonly string[]): string[][] {
  const lines = guide.split('\n').map((line) =>
    line
      .split('|')
      .slice(1, -1)
      .map((cell) => cell.replaceAll('`', '').trim()),
  );
  const first = lines.findIndex((cells) => cells.join() === header.join());
  const rows = lines.slice(first + 2);
  return rows.slice(
    0,
    rows.findIndex((cells) => cells.length === 0),
  );
}

describe('the guide docs/lifecycle.md', () => {
  test('lists exactly the moves in the table of the code', () => {
    const listed = rowsBelow('From', 'To', 'Cause').flatMap(([from, to, cause]) =>
      (from === 'every other type' ? contactTypes.filter((type) => type !== to) : [from]).flatMap((type) =>
        cause!.split(', ').map((one) => `${one}: ${type} to ${to === 'its former type' ? 'type before' : to}`),
      ),
    );
    const allowed = causes.flatMap((cause) =>
      moves[cause].from.map((from) => `${cause}: ${from} to ${moves[cause].to}`),
    );
    expect(listed.sort()).toEqual(allowed.sort());
  });

  test('says who may cause each move', () => {
    const rows = rowsBelow('Cause', 'By', 'What causes it').map(([cause, by]) => [cause, by]);
    expect(rows).toEqual(causes.map((cause) => [cause, moves[cause].by]));
  });
});

describe.each(causes)('the cause %s', (cause) => {
  test.each(contactTypes.flatMap((from) => contactTypes.map((before) => ({ from, before }))))(
    'moves the type $from (before: $before) as the table says, or not at all',
    ({ from, before }) => {
      const state = { type: from, before: from === 'blacklisted' && before !== 'blacklisted' ? before : null };
      const after = move(state, cause);
      const { from: allowed, to } = moves[cause];
      if (cause === 'identity' && from === 'blacklisted' && state.before === 'anonymous') {
        expect(after).toEqual({ type: 'blacklisted', before: 'identified' });
      } else if (!allowed.includes(from)) {
        expect(after).toEqual(state);
      } else {
        expect(after.type).toBe(to === 'type before' ? (state.before ?? 'identified') : to);
        expect(after.before).toBe(after.type === 'blacklisted' ? from : null);
      }
    },
  );
});

describe('an operator', () => {
  let service: TestService;
  let account: TestAccount;

  beforeAll(async () => {
    service = await startTestService();
    account = service.first;
  });
  afterAll(() => service[Symbol.asyncDispose]());

  async function contact(type: ContactType): Promise<number> {
    const identity = `${type}-${Math.random()}@example.com`;
    await account.apply('/contact/create', {
      data: {
        contact_type: type === 'anonymous' ? 'anonymous' : 'identified',
        contacts: [{ identity, email: identity }],
      },
    });
    if (type === 'confirmed' || type === 'unconfirmed') {
      await service.context.db
        .updateTable('contacts')
        .where('contact_key', '=', identity)
        .set({ contact_type: type })
        .execute();
    }
    const [row] = await account.rows({
      filtering_criteria: [{ condition_details: [{ field: 'email', operation: 'equals', value: identity }] }],
      output: { fields: ['contact_id'] },
    });
    return row!['contact_id'] as number;
  }

  test.each(['anonymous', 'identified', 'unconfirmed', 'confirmed'] as const)(
    'blocks a contact of the type %s, and restores its type when it is unblocked',
    async (type) => {
      const id = await contact(type);
      const blocked = await account.operator('POST', `/contacts/${id}/block`);
      expect(blocked).toMatchObject({ status: 200, body: { contact_id: id, contact_type: 'blacklisted' } });
      expect((await account.operator('POST', `/contacts/${id}/block`)).body.contact_type).toBe('blacklisted');
      const unblocked = await account.operator('POST', `/contacts/${id}/unblock`);
      expect(unblocked.body).toEqual({ contact_id: id, contact_type: type });
      const log = await account.operator('GET', '/audit-log?limit=2');
      expect(log.body.data).toMatchObject([
        { action: 'contact.unblock', subject: `contact:${id}`, actor: 'operator' },
        { action: 'contact.block', subject: `contact:${id}` },
      ]);
    },
  );

  test('can unblock a contact that opted out, and the opt-out stays', async () => {
    const id = await contact('identified');
    await account.updateContacts([{ contact_id: id, subscriptions: { email: false } }]);
    expect((await account.operator('POST', `/contacts/${id}/unblock`)).body.contact_type).toBe('identified');
    const rows = await account.rows({
      filtering_criteria: [{ condition_details: [{ field: 'contact_id', operation: 'equals', value: id }] }],
      output: { fields: ['email_opted_out'] },
    });
    expect(rows).toEqual([{ email_opted_out: true }]);
  });

  test('gets 404 for a contact that does not exist in the account', async () => {
    const id = await contact('identified');
    const other = await service.createAccount();
    for (const verb of ['block', 'unblock']) {
      expect((await other.operator('POST', `/contacts/${id}/${verb}`)).status).toBe(404);
      expect((await account.operator('POST', `/contacts/999999999/${verb}`)).status).toBe(404);
      expect((await service.operator('POST', `/accounts/99/contacts/${id}/${verb}`)).status).toBe(404);
    }
    expect((await account.operator('POST', `/contacts/${id}/unblock`)).body.contact_type).toBe('identified');
  });
});
