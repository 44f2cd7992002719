import type { MailErrorCode, MailStatus } from '@roster/contract';
import type { Insertable, Selectable } from 'kysely';
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

/** A row of `mails` with its texts. */
export type MailRow = Selectable<Tables['mails']>;

/** A row of `mails` without its texts. */
export type MailSummaryRow = Pick<MailRow, (typeof summaryColumns)[number]>;

/** Which mail, and which of its attempts, counted from 1. */
export interface MailAttempt {
  readonly accountId: number;
  readonly mailId: string;
  readonly attempt: number;
}

/** Why an attempt failed: the code, and the numbers of the server's reply. */
interface MailError {
  readonly code: MailErrorCode;
  readonly reply: string | undefined;
}

/** Adds mails. */
export async function insertMails(trx: Database, mails: readonly Insertable<Tables['mails']>[]): Promise<void> {
  await trx.insertInto('mails').values(mails).execute();
}

/** Mails of an account, newest first, from before the mail `before` on. */
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

/** The mail of an id. */
export async function findMail(db: Database, accountId: number, mailId: string): Promise<MailRow | undefined> {
  return db
    .selectFrom('mails')
    .where('account_id', '=', accountId)
    .where('mail_id', '=', mailId)
    .selectAll()
    .executeTakeFirst();
}

/** The mail of an attempt; undefined when there is no such attempt to make, because it has ended or the mail has. */
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
  /** `texts` are what stays of the mail's own, where not all of it may. */
  | { readonly status: 'sent'; readonly at: Date; readonly texts: MailTexts | undefined }
  | { readonly status: 'failed'; readonly error: MailError }
  | { readonly status: 'pending'; readonly error: MailError; readonly nextAttemptAt: Date };

/** Ends an attempt; false when it has ended already. */
export async function endAttempt(
  trx: Database,
  { accountId, mailId, attempt }: MailAttempt,
  outcome: AttemptOutcome,
): Promise<boolean> {
  const error = 'error' in outcome ? outcome.error : undefined;
  const { numUpdatedRows } = await trx
    .updateTable('mails')
    .where('account_id', '=', accountId)
    .where('mail_id', '=', mailId)
    .where('status', '=', 'pending')
    .where('attempts', '=', attempt - 1)
    .set({
      status: outcome.status,
      attempts: attempt,
      last_error: error?.code ?? null,
      last_reply: error?.reply ?? null,
      ...(outcome.status === 'sent' ? outcome.texts : {}),
      sent_at: outcome.status === 'sent' ? outcome.at : null,
      next_attempt_at: outcome.status === 'pending' ? outcome.nextAttemptAt : null,
    })
    .executeTakeFirstOrThrow();
  return numUpdatedRows > 0n;
}

/** Leaves a mail stored that should have been sent, because the mail server was taken out of the configuration. */
export async function keepUnsent(trx: Database, { accountId, mailId, attempt }: MailAttempt): Promise<void> {
  await trx
    .updateTable('mails')
    .where('account_id', '=', accountId)
    .where('mail_id', '=', mailId)
    .where('status', '=', 'pending')
    .where('attempts', '=', attempt - 1)
    .set({ status: 'stored', next_attempt_at: null })
    .execute();
}

/** Deletes at most `limit` mails, of whatever account, that were made before a moment and do not wait; answers how many. */
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
