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
    from: day(given['from']),
    to: day(given['to']),
  };
}

/** Returns the beginning of a day, in the time zone of the browser. */
export function dayStart(text: string): string {
  return new Date(`${text}T00:00:00`).toISOString();
}

/** Returns the beginning of the next day, in the time zone of the browser. */
export function dayEnd(text: string): string {
  const end = new Date(`${text}T00:00:00`);
  end.setDate(end.getDate() + 1);
  return end.toISOString();
}

function word(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value.slice(0, 255) : undefined;
}

function day(value: unknown): string | undefined {
  const isDay = typeof value === 'string' && /^\d{4}-\d\d-\d\d$/.test(value);
  return isDay && !Number.isNaN(Date.parse(value)) ? value : undefined;
}
