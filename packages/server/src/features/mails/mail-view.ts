import { mailErrors, type MailDetail, type MailSummary } from '@roster/contract';
import { hideSignatures } from '#platform/text/hide-signatures.ts';
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

/**
 * Returns a mail with its texts. Without `unmasked`, its links open no file: the file of an export
 * can have unmasked values.
 */
export function mailDetailView(row: MailRow, unmasked: boolean): MailDetail {
  const shown = unmasked ? (text: string) => text : hideSignatures;
  return { ...mailView(row), text: shown(row.plain_text), html: shown(row.html) };
}
