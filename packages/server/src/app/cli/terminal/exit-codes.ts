import { RosterError } from '@roster/client';
import { ConfigError } from '#platform/config/config.ts';

/** Exit codes of all commands. docs/cli.md and `--help` list them. */
export const exitCodes = {
  done: 0,
  /** The command failed, or `doctor` found a fault. */
  failed: 1,
  /** Wrong usage, or an invalid configuration. */
  usage: 2,
  /** The service refused the request: not found, not allowed, invalid, or a wrong credential. */
  refused: 3,
  /** The service is unreachable or too busy. */
  unreachable: 4,
  /** Done, but some rows, items or contacts failed. */
  someFailed: 5,
  /** Ended by Ctrl-C: 128 + SIGINT, as in shells. */
  interrupted: 130,
} as const;

/** The table of exit codes at the end of `--help`. */
export const exitCodeHelp = `
Exit codes:
  0    success
  1    the command failed
  2    wrong usage, or an invalid configuration
  3    the service refused the request: not found, not allowed or invalid
  4    the service is unreachable or too busy
  5    done, but some rows, items or contacts failed
  130  interrupted by Ctrl-C`;

/** An error that ends a command with a certain exit code. The message is shown to the user. */
export class CommandError extends Error {
  override readonly name = 'CommandError';
  readonly exitCode: number;

  constructor(exitCode: number, message: string, options?: ErrorOptions) {
    super(message, options);
    this.exitCode = exitCode;
  }
}

/** Returns the error for a file that cannot be read or written. `action` is `read` or `written`. */
export function fileError(file: string, action: 'read' | 'written', error: unknown): CommandError {
  const { code, message } = error as NodeJS.ErrnoException;
  const reason = fileReasons[code ?? '']?.[action] ?? message;
  return new CommandError(exitCodes.failed, `${file} cannot be ${action}: ${reason}`, { cause: error });
}

/** What the frequent codes of the system mean. */
const fileReasons: Readonly<Record<string, Readonly<Record<'read' | 'written', string>>>> = {
  ENOENT: { read: 'there is no such file', written: 'its directory does not exist' },
  EACCES: { read: 'this user may not read it', written: 'this user may not write there' },
  EISDIR: { read: 'it is a directory', written: 'it is a directory' },
  EROFS: { read: 'its file system is read-only', written: 'its file system is read-only' },
};

/** Returns the exit code for an error. */
export function exitCodeOf(error: unknown): number {
  if (error instanceof CommandError) return error.exitCode;
  if (error instanceof ConfigError) return exitCodes.usage;
  if (!(error instanceof RosterError)) return exitCodes.failed;
  const { code, status } = error;
  if (code === 'network' || code === 'timeout' || code === 'unavailable' || code === 'rate_limited') {
    return exitCodes.unreachable;
  }
  return status !== undefined && status < 500 ? exitCodes.refused : exitCodes.failed;
}
