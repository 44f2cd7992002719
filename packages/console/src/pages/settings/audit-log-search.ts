import { readDay } from '#components/values/day-bounds.ts';

/** The search of the audit log in the address. `from` and `to` are days such as `2026-03-01`. */
export interface AuditLogSearch {
  readonly actor?: string | undefined;
  readonly action?: string | undefined;
  readonly subject?: string | undefined;
  readonly from?: string | undefined;
  readonly to?: string | undefined;
}

/** Reads the search of the audit log. Leaves out values that cannot be read. */
export function readAuditLogSearch(given: Readonly<Record<string, unknown>>): AuditLogSearch {
  return {
    actor: word(given['actor']),
    action: word(given['action']),
    subject: word(given['subject']),
    from: readDay(given['from']),
    to: readDay(given['to']),
  };
}

function word(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value.slice(0, 255) : undefined;
}
