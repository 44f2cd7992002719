/** Stable code of an {@link EmbeddedPostgresError}. */
export type EmbeddedPostgresErrorCode =
  /** There are no packaged programs for this machine, or they do not run on it. */
  | 'platform-unsupported'
  /** The data directory cannot be created or written, or has other contents. */
  | 'data-directory-unusable'
  /** Another process uses the data directory. */
  | 'data-directory-busy'
  /** The data belongs to another user. */
  | 'data-directory-foreign'
  /** The user that runs PostgreSQL cannot access the data or the programs. */
  | 'unreachable'
  /** The disk has too little space for a start, or became full during the start. */
  | 'disk-full'
  /** The data was written by another major version of PostgreSQL. */
  | 'version-mismatch'
  /** The password, or the directory that the link `cluster` names, is missing. */
  | 'data-missing'
  /** `initdb` failed for another reason. The message has its output. */
  | 'initdb-failed'
  /** The server did not start for another reason. The message has the last lines of its log. */
  | 'start-failed'
  /** The caller cancelled the start. */
  | 'aborted';

/** A failure of the embedded PostgreSQL. Its `message` says what is wrong and what to do. */
export class EmbeddedPostgresError extends Error {
  override readonly name = 'EmbeddedPostgresError';
  readonly code: EmbeddedPostgresErrorCode;

  constructor(code: EmbeddedPostgresErrorCode, message: string, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
  }
}

/** Creates the error for a start that the caller cancelled. */
export const startCancelled = (): EmbeddedPostgresError =>
  new EmbeddedPostgresError('aborted', 'The start of the embedded PostgreSQL was cancelled.');

/** Returns the code of a failed system call, such as `ENOENT`; undefined for any other error. */
export function systemErrorCode(error: unknown): string | undefined {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : undefined;
}
