import { mailErrors } from '@roster/contract';
import type { Context } from '#platform/context.ts';
import type { JobHandler, JobPayloads } from '#platform/jobs/job-table.ts';
import { hideLinks } from './format/hide-links.ts';
import {
  endAttempt,
  findAttempt,
  keepUnsent,
  type AttemptOutcome,
  type MailAttempt,
  type MailRow,
  type MailTexts,
} from './mail-store.ts';
import { hasSecretLinks } from './mail-templates.ts';
import { addAttempt } from './mails.ts';
import { SmtpFailure } from './smtp-failure.ts';

/** Milliseconds after its creation in which a mail is tried again. */
export const retryWindow = 24 * 3_600_000;

const firstDelay = 30_000;
const longestDelay = 2 * 3_600_000;

/**
 * Milliseconds from the end of an attempt to the next: half a minute, doubled each time up to two hours, which makes some 20 attempts in 24
 * hours. A fifth more or less by chance, so that mails that failed together do not come back together.
 */
export function mailRetryDelay(attempt: number, random: () => number = Math.random): number {
  return Math.round(Math.min(firstDelay * 2 ** (attempt - 1), longestDelay) * (0.8 + 0.4 * random()));
}

declare module '#platform/jobs/job-table.ts' {
  interface JobPayloads {
    /** One attempt, counted from 1, to send a mail. */
    send_mail: { readonly account_id: number; readonly mail_id: string; readonly attempt: number };
  }
}

/**
 * Makes the handler that makes one attempt to send a mail, and has the next one made where it can help.
 *
 * An attempt that was interrupted is made again, also when the server had taken the mail and only the record of it was lost: then the mail
 * goes out twice, with one Message-ID. An attempt that has ended is never made again.
 */
export function sendMailHandler(
  retryDelay: (attempt: number) => number = mailRetryDelay,
): JobHandler<JobPayloads['send_mail']> {
  return async (context, payload, run) => {
    const attempt = { accountId: payload.account_id, mailId: payload.mail_id, attempt: payload.attempt };
    const { mailer } = context;
    if (mailer === undefined) {
      await keepUnsent(context.db, attempt);
      return;
    }
    const mail = await findAttempt(context.db, attempt);
    if (mail === undefined) return;
    let failure: SmtpFailure | undefined;
    try {
      await mailer.send(outgoing(mail), run.signal);
    } catch (error) {
      // What was interrupted is no attempt: the job runs again, here or in another process.
      if (run.signal.aborted || !(error instanceof SmtpFailure)) throw error;
      failure = error;
    }
    const outcome = outcomeOf(mail, context.now(), retryDelay(attempt.attempt), failure);
    if (await recordOutcome(context, attempt, outcome)) report(context, attempt, outcome);
  };
}

function outgoing(mail: MailRow) {
  return {
    mailId: mail.mail_id,
    to: mail.recipient,
    subject: mail.subject,
    text: mail.plain_text,
    html: mail.html,
    createdAt: mail.created_at,
  };
}

function outcomeOf(mail: MailRow, now: Date, delay: number, failure: SmtpFailure | undefined): AttemptOutcome {
  if (failure === undefined) return { status: 'sent', at: now, texts: textsToKeep(mail) };
  const { code, reply } = failure;
  const nextAttemptAt = new Date(now.getTime() + delay);
  const isTooLate = nextAttemptAt.getTime() > mail.created_at.getTime() + retryWindow;
  if (mailErrors[code].final || isTooLate) return { status: 'failed', error: { code, reply } };
  return { status: 'pending', error: { code, reply }, nextAttemptAt };
}

/** Whoever it was for has the mail: operators, and backups, need not hold what confirms in their name. */
function textsToKeep({ template, plain_text: text, html }: MailRow): MailTexts | undefined {
  return hasSecretLinks(template) ? { plain_text: hideLinks(text), html: hideLinks(html) } : undefined;
}

async function recordOutcome(context: Context, attempt: MailAttempt, outcome: AttemptOutcome): Promise<boolean> {
  return context.db.transaction().execute(async (trx) => {
    const isFirst = await endAttempt(trx, attempt, outcome);
    if (isFirst && outcome.status === 'pending') {
      await addAttempt(trx, { ...attempt, attempt: attempt.attempt + 1 }, outcome.nextAttemptAt);
    }
    return isFirst;
  });
}

function report({ log, metrics }: Context, { accountId, mailId, attempt }: MailAttempt, outcome: AttemptOutcome): void {
  metrics.mails.inc({ outcome: outcome.status === 'pending' ? 'deferred' : outcome.status });
  const facts = { account_id: accountId, mail_id: mailId, attempt };
  if (outcome.status === 'sent') log.debug(facts, 'a mail was sent');
  else {
    const { code, reply } = outcome.error;
    log.warn({ ...facts, code, reply }, outcome.status === 'failed' ? 'a mail was given up' : 'a mail is tried again');
  }
}
