/** How well something is: `ok`; `note`: as it should be, but worth knowing; `warning`: works, and will not for long; `fault`: does not work. */
export type Severity = 'ok' | 'note' | 'warning' | 'fault';

/** What a check found, in a sentence; `advice` says what to do. */
export interface Finding {
  readonly severity: Severity;
  readonly message: string;
  readonly advice?: string;
}

/** A finding with the part of the service that it is about. */
export type NamedFinding = Finding & { readonly check: string };

/** A finding that is well. */
export const ok = (message: string): Finding => ({ severity: 'ok', message });

/** Something worth knowing. */
export const note = (message: string, advice?: string): Finding => finding('note', message, advice);

/** Something that will become a fault. */
export const warning = (message: string, advice: string): Finding => finding('warning', message, advice);

/** Something that does not work. */
export const fault = (message: string, advice: string): Finding => finding('fault', message, advice);

const finding = (severity: Severity, message: string, advice: string | undefined): Finding => ({
  severity,
  message,
  ...(advice === undefined ? {} : { advice }),
});

/** The message of a failure, without its stack. */
export function reasonOf(error: unknown): string {
  if (error instanceof AggregateError && error.errors.length > 0) return reasonOf(error.errors[0]);
  return error instanceof Error && error.message !== '' ? error.message : String(error);
}
