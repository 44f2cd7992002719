import { sql, type RawBuilder, type Selectable } from 'kysely';
import type { Database } from '#platform/database/connection/database.ts';
import type { Tables } from '#platform/database/schema/tables.ts';

/** A row of `signing_secrets`. */
export type SigningSecretRow = Selectable<Tables['signing_secrets']>;

/** Inserts the current secret of an account, which must not have another current secret. */
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

/** Sets the end of the current secret of an account, and deletes its previous secrets. */
export async function endSigningSecret(trx: Database, accountId: number, at: Date): Promise<void> {
  await trx
    .deleteFrom('signing_secrets')
    .where('account_id', '=', accountId)
    .where('expires_at', 'is not', null)
    .execute();
  await trx.updateTable('signing_secrets').where('account_id', '=', accountId).set({ expires_at: at }).execute();
}

/** Loads the secrets that are valid at a time: the current one, then the previous one, if any. */
export async function findSigningSecrets(db: Database, accountId: number, at: Date): Promise<SigningSecretRow[]> {
  return db
    .selectFrom('signing_secrets')
    .where('account_id', '=', accountId)
    .where((eb) => eb.or([eb('expires_at', 'is', null), eb('expires_at', '>', at)]))
    .selectAll()
    .orderBy('signing_secret_id', 'desc')
    .execute();
}

/** The SQL of {@link findSigningSecrets} as an array of texts, for use in another statement. */
export function signingSecretsOf(accountId: RawBuilder<number>, at: Date): RawBuilder<string[]> {
  return sql`(
    select coalesce(array_agg(secret order by signing_secret_id desc), '{}') from signing_secrets
    where account_id = ${accountId} and (expires_at is null or expires_at > ${at}))`;
}
