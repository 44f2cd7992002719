import { mailErrors, type MailDetail, type MailSummary } from '@roster/contract';
import type { MailRow, MailSummaryRow } from './mail-store.ts';

/** Returns a mail as the operator API lists it. */
export function mailView(row: MailSummaryRow): MailSummary {
  return {
    mail_id: row.mail_id,
    template: row.template,
    to: row.recipient,
    subject: row.subject,
    status: row.status,
    attempts: row.attempts,
    last_error:
      row.last_error === null
        ? null
        : { code: row.last_error, message: mailErrors[row.last_error].message, reply: row.last_reply },
    created_at: row.created_at.toISOString(),
    sent_at: row.sent_at?.toISOString() ?? null,
    next_attempt_at: row.next_attempt_at?.toISOString() ?? null,
  };
}

/** Returns a mail with its texts. */
export function mailDetailView(row: MailRow): MailDetail {
  return { ...mailView(row), text: row.plain_text, html: row.html };
}
