/**
 * How serious a finding is: `ok` and `note` need no action, a `warning` may soon become a fault,
 * and a `fault` means that something does not work.
 */
export type Severity = 'ok' | 'note' | 'warning' | 'fault';

/** The result of a check, in one sentence. `advice` says what to do. */
export interface Finding {
  readonly severity: Severity;
  readonly message: string;
  readonly advice?: string;
}

/** A finding with the name of its check. */
export type NamedFinding = Finding & { readonly check: string };

/** Creates a finding of severity `ok`. */
export const ok = (message: string): Finding => ({ severity: 'ok', message });

/** Creates a finding of severity `note`. */
export const note = (message: string, advice?: string): Finding => ({
  severity: 'note',
  message,
  ...(advice === undefined ? {} : { advice }),
});

/** Creates a finding of severity `warning`. */
export const warning = (message: string, advice: string): Finding => ({ severity: 'warning', message, advice });

/** Creates a finding of severity `fault`. */
export const fault = (message: string, advice: string): Finding => ({ severity: 'fault', message, advice });

/** Creates a finding of severity `fault` from a description. */
export const faultOf = (described: { readonly message: string; readonly advice: string }): Finding =>
  fault(described.message, described.advice);

/** Returns the message of an error, without its stack. */
export function reasonOf(error: unknown): string {
  if (error instanceof AggregateError && error.errors.length > 0) return reasonOf(error.errors[0]);
  return error instanceof Error && error.message !== '' ? error.message : String(error);
}
