import { sql, type RawBuilder, type Selectable } from 'kysely';
import type { Database } from '#platform/database/connection/database.ts';
import type { Tables } from '#platform/database/schema/tables.ts';

/** A row of `signing_secrets`. */
export type SigningSecretRow = Selectable<Tables['signing_secrets']>;

/** Makes a secret the current one of its account; there must be no other. */
export async function insertSigningSecret(
  trx: Database,
  accountId: number,
  secret: string,
  at: Date,
): Promise<SigningSecretRow> {
  return trx
    .insertInto('signing_secrets')
    .values({ account_id: accountId, secret, created_at: at })
    .returningAll()
    .executeTakeFirstOrThrow();
}

/** Lets the current secret of an account end at a time, and forgets those before it. */
export async function endSigningSecret(trx: Database, accountId: number, at: Date): Promise<void> {
  await trx
    .deleteFrom('signing_secrets')
    .where('account_id', '=', accountId)
    .where('expires_at', 'is not', null)
    .execute();
  await trx.updateTable('signing_secrets').where('account_id', '=', accountId).set({ expires_at: at }).execute();
}

/** The secrets of an account that sign at a time: the current one, and the one before while it has not ended. */
export async function findSigningSecrets(db: Database, accountId: number, at: Date): Promise<SigningSecretRow[]> {
  return db
    .selectFrom('signing_secrets')
    .where('account_id', '=', accountId)
    .where((eb) => eb.or([eb('expires_at', 'is', null), eb('expires_at', '>', at)]))
    .selectAll()
    .orderBy('signing_secret_id', 'desc')
    .execute();
}

/** The texts of the secrets of {@link findSigningSecrets} as an array, for use in a statement: the newest first. */
export function signingSecretsOf(accountId: RawBuilder<number>, at: Date): RawBuilder<string[]> {
  return sql`(
    select coalesce(array_agg(secret order by signing_secret_id desc), '{}') from signing_secrets
    where account_id = ${accountId} and (expires_at is null or expires_at > ${at}))`;
}
