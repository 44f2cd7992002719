import { isEmail } from '@roster/contract';
import type { Context } from '../context.ts';
import type { Database } from '../db/database.ts';
import { addJob } from '../jobs/jobs.ts';
import { insertMail, type MailAttempt } from './mail-store.ts';
import { writeMail, type MailData, type MailTemplateName } from './mail-templates.ts';

/** A mail that is to be written. */
export interface NewMail<Name extends MailTemplateName> {
  readonly accountId: number;
  /** One address. */
  readonly to: string;
  readonly template: Name;
  readonly data: MailData<Name>;
}

/**
 * Writes a mail and answers its mail_id. It is sent once the transaction is committed, and never when it is rolled back; without a mail
 * server it is only stored (decisions §5, §7, §8).
 *
 * Throws when `to` is not exactly one address: check what callers give before.
 */
export async function createMail<Name extends MailTemplateName>(
  trx: Database,
  context: Pick<Context, 'config' | 'now' | 'newId' | 'metrics'>,
  { accountId, to, template, data }: NewMail<Name>,
): Promise<string> {
  if (!isEmail(to)) throw new Error(`the recipient of a mail (${template}) is not an address`);
  const { subject, text, html } = writeMail(template, data);
  const mailId = context.newId();
  const now = context.now();
  const isSent = context.config.smtpServer !== undefined;
  await insertMail(trx, {
    account_id: accountId,
    mail_id: mailId,
    template,
    recipient: to,
    subject,
    plain_text: text,
    html,
    status: isSent ? 'pending' : 'stored',
    created_at: now,
    next_attempt_at: isSent ? now : null,
  });
  if (isSent) await addAttempt(trx, { accountId, mailId, attempt: 1 });
  else context.metrics.mails.inc({ outcome: 'stored' });
  return mailId;
}

/** Has an attempt made, at once or at a later time. */
export async function addAttempt(trx: Database, { accountId, mailId, attempt }: MailAttempt, at?: Date): Promise<void> {
  await addJob(
    trx,
    'send_mail',
    { account_id: accountId, mail_id: mailId, attempt },
    { key: mailId, ...(at === undefined ? {} : { runAt: at }) },
  );
}
