import { isEmail } from '@roster/contract';
import type { Context } from '#platform/context.ts';
import type { Database } from '#platform/database/connection/database.ts';
import { addJob, addJobs } from '#platform/jobs/jobs.ts';
import { nextPriority } from '#platform/jobs/next-priority.ts';
import { insertMails, pendingMails, type MailAttempt } from './mail-store.ts';
import { writeMail, type MailData, type MailTemplateName } from './mail-templates.ts';

/**
 * The `accountId` of mails to users of the installation. No account has this number, so no member
 * can read the links in these mails.
 */
export const installationMails = 0;

/** A mail to create. */
export interface NewMail<Name extends MailTemplateName> {
  readonly accountId: number;
  /** One address. */
  readonly to: string;
  readonly template: Name;
  readonly data: MailData<Name>;
}

type MailContext = Pick<Context, 'config' | 'now' | 'newId' | 'metrics'>;

/**
 * Creates a mail and returns its mail_id. The mail is sent after the transaction commits. Without a
 * mail server, it is only stored.
 *
 * Throws if `to` is not exactly one address, so check addresses that come from callers first.
 */
export async function createMail<Name extends MailTemplateName>(
  trx: Database,
  context: MailContext,
  mail: NewMail<Name>,
): Promise<string> {
  const [mailId] = await createMails(trx, context, [mail]);
  return mailId!;
}

/** Creates mails like {@link createMail}, and returns their ids. */
export async function createMails<Name extends MailTemplateName>(
  trx: Database,
  { config, metrics, newId, now: clock }: MailContext,
  mails: readonly NewMail<Name>[],
): Promise<string[]> {
  const now = clock();
  const isSent = config.smtpServer !== undefined;
  const rows = mails.map(({ accountId, to, template, data }) => {
    if (!isEmail(to)) throw new Error(`the recipient of a mail (${template}) is not an address`);
    const { subject, text, html } = writeMail(template, data);
    return {
      account_id: accountId,
      mail_id: newId(),
      template,
      recipient: to,
      subject,
      plain_text: text,
      html,
      status: isSent ? 'pending' : 'stored',
      created_at: now,
      next_attempt_at: isSent ? now : null,
    } as const;
  });
  await insertMails(trx, rows);
  if (isSent) {
    const priorities = new Map<number, number>();
    for (const { account_id: id } of rows) if (!priorities.has(id)) priorities.set(id, await mailPriority(trx, id));
    await addJobs(
      trx,
      'send_mail',
      rows.map(({ account_id, mail_id }) => ({
        payload: { account_id, mail_id, attempt: 1 },
        key: mail_id,
        priority: priorities.get(account_id)!,
      })),
    );
  } else metrics.mails.inc({ outcome: 'stored' }, rows.length);
  return rows.map(({ mail_id }) => mail_id);
}

/** Returns the priority of the next mail of an account, so that many mails delay no other account. */
async function mailPriority(trx: Database, accountId: number): Promise<number> {
  return nextPriority(trx, pendingMails(accountId));
}

/** Adds the job for an attempt at a later time. */
export async function addAttempt(
  trx: Database,
  { accountId, mailId, attempt }: MailAttempt,
  runAt: Date,
): Promise<void> {
  const priority = await mailPriority(trx, accountId);
  await addJob(trx, 'send_mail', { account_id: accountId, mail_id: mailId, attempt }, { key: mailId, runAt, priority });
}
