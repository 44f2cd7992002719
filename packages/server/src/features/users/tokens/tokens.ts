import type { CreatePersonalTokenBody, PersonalToken } from '@roster/contract';
import type { Context } from '#platform/context.ts';
import { invalidField, invalidRequest, conflict } from '#platform/errors/api-error.ts';
import type { Person } from '#platform/http/authentication/actor.ts';
import type { SessionPerson } from '../profile/requirements.ts';
import { newSecret } from '../secrets/secret.ts';
import { lockUserOfSession } from '../store/lock-session.ts';
import { countTokens, insertToken, type TokenRow } from './token-store.ts';

/** How many tokens a person can have. */
const maxTokens = 50;

/**
 * Creates a personal access token. Throws `invalid_request` if it expires in the past or names an
 * account of which the person is no member, and `conflict` if the person has too many.
 */
export async function createToken(
  { db, now }: Pick<Context, 'db' | 'now'>,
  person: SessionPerson,
  body: CreatePersonalTokenBody,
): Promise<{ readonly row: TokenRow; readonly token: string }> {
  const expiresAt = body.expires_at == null ? null : new Date(body.expires_at);
  if (expiresAt !== null && expiresAt <= now()) {
    throw invalidField('out_of_range', 'expires_at', 'must be in the future');
  }
  const accountIds = body.account_ids == null ? null : [...new Set(body.account_ids)];
  requireOwnAccounts(person, body.account_ids ?? []);
  const { text, hash } = newSecret('rp_');
  return db.transaction().execute(async (trx) => {
    await lockUserOfSession(trx, person);
    if ((await countTokens(trx, person.userId)) >= maxTokens) {
      throw conflict(`You have ${maxTokens} tokens. Delete one first.`);
    }
    const token = {
      user_id: person.userId,
      name: body.name,
      token_hint: text.slice(0, 8),
      account_ids: accountIds,
      expires_at: expiresAt,
      created_at: now(),
    };
    return { row: await insertToken(trx, token, hash), token: text };
  });
}

/** Converts a token to its form in the API. */
export function tokenView(row: TokenRow, now: Date): PersonalToken {
  return {
    token_id: row.token_id,
    name: row.name,
    token_hint: row.token_hint,
    status: row.expires_at !== null && row.expires_at <= now ? 'expired' : 'active',
    account_ids: row.account_ids,
    expires_at: row.expires_at?.toISOString() ?? null,
    last_used_at: row.last_used_at?.toISOString() ?? null,
    created_at: row.created_at.toISOString(),
  };
}

function requireOwnAccounts({ memberships }: Person, accountIds: readonly number[]): void {
  const own = new Set(memberships.map(({ accountId }) => accountId));
  const faults = accountIds.flatMap((id, index) =>
    own.has(id)
      ? []
      : [
          {
            code: 'not_found',
            field: `account_ids[${index}]`,
            message: 'must be the number of an account in which you have a role',
          } as const,
        ],
  );
  if (faults.length > 0) throw invalidRequest(faults);
}
