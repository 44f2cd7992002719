import { mailErrors } from '@roster/contract';
import type { Context } from '#platform/context.ts';
import type { JobHandler, JobPayloads } from '#platform/jobs/job-table.ts';
import { hour, second } from '#platform/time/intervals.ts';
import { hideLinks } from './format/hide-links.ts';
import {
  endAttempt,
  findAttempt,
  markStored,
  type AttemptOutcome,
  type MailAttempt,
  type MailRow,
  type MailTexts,
} from './mail-store.ts';
import { hasSecretLinks } from './mail-templates.ts';
import { addAttempt } from './mails.ts';
import { SmtpFailure } from './smtp-failure.ts';

/** A mail is retried for this time after its creation, in milliseconds. */
export const retryWindow = 24 * hour;

const firstDelay = 30 * second;
const maxDelay = 2 * hour;

/**
 * Returns the milliseconds from the end of an attempt to the next attempt: half a minute, doubled
 * each time up to two hours. That makes about 20 attempts in 24 hours. Jitter of 20 % keeps mails
 * that failed together from being retried together.
 */
export function mailRetryDelay(attempt: number, random: () => number = Math.random): number {
  return Math.round(Math.min(firstDelay * 2 ** (attempt - 1), maxDelay) * (0.8 + 0.4 * random()));
}

declare module '#platform/jobs/job-table.ts' {
  interface JobPayloads {
    /** One attempt to send a mail. The first attempt is 1. */
    send_mail: { readonly account_id: number; readonly mail_id: string; readonly attempt: number };
  }
}

/**
 * Creates the job handler that makes one attempt to send a mail. If a retry can help, the handler
 * adds the job for the next attempt.
 *
 * An interrupted attempt is repeated. If the server had already accepted the mail, the mail is sent
 * twice with the same Message-ID. An attempt that has ended is never repeated.
 */
export function sendMailHandler(
  retryDelay: (attempt: number) => number = mailRetryDelay,
): JobHandler<JobPayloads['send_mail']> {
  return async (context, payload, run) => {
    const attempt = { accountId: payload.account_id, mailId: payload.mail_id, attempt: payload.attempt };
    const { mailer } = context;
    if (mailer === undefined) {
      await markStored(context.db, attempt);
      return;
    }
    const mail = await findAttempt(context.db, attempt);
    if (mail === undefined) return;
    let failure: SmtpFailure | undefined;
    try {
      await mailer.send(outgoing(mail), run.signal);
    } catch (error) {
      // An interrupted attempt does not count. The job runs again, here or in another process.
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

/**
 * Hides secret links of a sent mail. Operators and backups must not keep the credentials of
 * recipients.
 */
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
  if (outcome.status === 'sent') log.debug(facts, 'sent a mail');
  else {
    const { code, reply } = outcome.error;
    const message =
      outcome.status === 'failed' ? 'could not send a mail; giving up' : 'could not send a mail; retrying';
    log.warn({ ...facts, code, reply }, message);
  }
}
