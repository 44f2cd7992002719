import type { MailErrorCode, MailStatus } from '@roster/contract';
import { sql, type Insertable, type RawBuilder, type Selectable } from 'kysely';
import type { Database } from '#platform/database/connection/database.ts';
import type { Tables } from '#platform/database/schema/tables.ts';

const summaryColumns = [
  'mail_id',
  'template',
  'recipient',
  'subject',
  'status',
  'attempts',
  'last_error',
  'last_reply',
  'created_at',
  'sent_at',
  'next_attempt_at',
] as const;

/** A row of the table `mails` with its texts. */
export type MailRow = Selectable<Tables['mails']>;

/** A row of the table `mails` without its texts. */
export type MailSummaryRow = Pick<MailRow, (typeof summaryColumns)[number]>;

/** One attempt to send a mail. */
export interface MailAttempt {
  readonly accountId: number;
  readonly mailId: string;
  /** Number of the attempt, from 1. */
  readonly attempt: number;
}

/** Why an attempt failed. */
interface MailError {
  readonly code: MailErrorCode;
  /** The reply code of the mail server. */
  readonly reply: string | undefined;
}

/** Stores mails. */
export async function insertMails(trx: Database, mails: readonly Insertable<Tables['mails']>[]): Promise<void> {
  await trx.insertInto('mails').values(mails).execute();
}

/** Returns the query of the mails of an account that wait to be sent, or to be sent again. */
export function pendingMails(accountId: number): RawBuilder<unknown> {
  return sql`select from mails where account_id = ${accountId} and status = 'pending'`;
}

/** Lists mails of an account that are older than the mail `before`, the newest first. */
export async function listMails(
  db: Database,
  accountId: number,
  filter: { readonly status?: MailStatus | undefined; readonly before?: string | undefined },
  limit: number,
): Promise<MailSummaryRow[]> {
  const { status, before } = filter;
  return db
    .selectFrom('mails')
    .where('account_id', '=', accountId)
    .$if(status !== undefined, (query) => query.where('status', '=', status!))
    .$if(before !== undefined, (query) => query.where('mail_id', '<', before!))
    .select(summaryColumns)
    .orderBy('mail_id', 'desc')
    .limit(limit)
    .execute();
}

/** Finds a mail. */
export async function findMail(db: Database, accountId: number, mailId: string): Promise<MailRow | undefined> {
  return db
    .selectFrom('mails')
    .where('account_id', '=', accountId)
    .where('mail_id', '=', mailId)
    .selectAll()
    .executeTakeFirst();
}

/** Finds the mail of an attempt; undefined when the attempt or the mail has already ended. */
export async function findAttempt(
  db: Database,
  { accountId, mailId, attempt }: MailAttempt,
): Promise<MailRow | undefined> {
  return db
    .selectFrom('mails')
    .where('account_id', '=', accountId)
    .where('mail_id', '=', mailId)
    .where('status', '=', 'pending')
    .where('attempts', '=', attempt - 1)
    .selectAll()
    .executeTakeFirst();
}

/** The texts of a mail. */
export type MailTexts = Pick<MailRow, 'plain_text' | 'html'>;

/** How an attempt ended. */
export type AttemptOutcome =
  /** `texts` replace the texts of the mail, if these must not be kept. */
  | { readonly status: 'sent'; readonly at: Date; readonly texts: MailTexts | undefined }
  | { readonly status: 'failed'; readonly error: MailError }
  | { readonly status: 'pending'; readonly error: MailError; readonly nextAttemptAt: Date };

/**
 * Selects the mail of an attempt for an update, unless the attempt or the mail has already ended.
 */
function pendingMail(trx: Database, { accountId, mailId, attempt }: MailAttempt) {
  return trx
    .updateTable('mails')
    .where('account_id', '=', accountId)
    .where('mail_id', '=', mailId)
    .where('status', '=', 'pending')
    .where('attempts', '=', attempt - 1);
}

/** Ends an attempt. Returns false when the attempt has already ended. */
export async function endAttempt(trx: Database, attempt: MailAttempt, outcome: AttemptOutcome): Promise<boolean> {
  const error = 'error' in outcome ? outcome.error : undefined;
  const { numUpdatedRows } = await pendingMail(trx, attempt)
    .set({
      status: outcome.status,
      attempts: attempt.attempt,
      last_error: error?.code ?? null,
      last_reply: error?.reply ?? null,
      ...(outcome.status === 'sent' ? outcome.texts : {}),
      sent_at: outcome.status === 'sent' ? outcome.at : null,
      next_attempt_at: outcome.status === 'pending' ? outcome.nextAttemptAt : null,
    })
    .executeTakeFirstOrThrow();
  return numUpdatedRows > 0n;
}

/** Changes a mail to `stored`, because no mail server is configured any more. */
export async function markStored(trx: Database, attempt: MailAttempt): Promise<void> {
  await pendingMail(trx, attempt).set({ status: 'stored', next_attempt_at: null }).execute();
}

/**
 * Deletes up to `limit` mails of all accounts that are older than a time and do not wait. Returns
 * how many.
 */
export async function deleteMailsBefore(db: Database, moment: Date, limit: number): Promise<number> {
  const { numDeletedRows } = await db
    .deleteFrom('mails')
    .where((eb) =>
      eb(
        eb.refTuple('account_id', 'mail_id'),
        'in',
        eb
          .selectFrom('mails')
          .where('created_at', '<', moment)
          .where('status', '!=', 'pending')
          .select(['account_id', 'mail_id'])
          .orderBy('created_at')
          .limit(limit)
          .$asTuple('account_id', 'mail_id'),
      ),
    )
    .executeTakeFirstOrThrow();
  return Number(numDeletedRows);
}
