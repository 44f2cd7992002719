/**
 * What went wrong with the embedded PostgreSQL; stable, for callers and tests that tell cases
 * apart.
 */
export type EmbeddedPostgresErrorCode =
  /** There are no packaged binaries for this machine, or they do not run on it. */
  | 'platform-unsupported'
  /**
   * The data directory cannot be created, is not a directory, cannot be written, or holds something
   * else.
   */
  | 'data-directory-unusable'
  /** Another process holds the data directory. */
  | 'data-directory-busy'
  /** The data belongs to a user that this process cannot act as. */
  | 'data-directory-foreign'
  /** The user that PostgreSQL runs as cannot reach the data or the binaries. */
  | 'unreachable'
  /** The file system has too little space to start, or ran full meanwhile. */
  | 'disk-full'
  /** The data was written by another major version of PostgreSQL. */
  | 'version-mismatch'
  /**
   * A part of the data that cannot be made again is missing: the cluster behind its link, or the
   * password.
   */
  | 'data-missing'
  /** `initdb` failed for another reason; the message holds its output. */
  | 'initdb-failed'
  /** The server did not start for another reason; the message holds its last lines. */
  | 'start-failed'
  /** The start was given up because the caller's signal was aborted. */
  | 'aborted';

/**
 * A failure of the embedded PostgreSQL: `code` is stable, `message` says what is wrong and what to
 * do.
 */
export class EmbeddedPostgresError extends Error {
  override readonly name = 'EmbeddedPostgresError';
  readonly code: EmbeddedPostgresErrorCode;

  constructor(code: EmbeddedPostgresErrorCode, message: string, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
  }
}

/** The code of a failed system call (`ENOENT`, `EACCES`, …), or undefined for any other error. */
export function systemErrorCode(error: unknown): string | undefined {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : undefined;
}
