import { RosterError } from '@roster/client';
import { ConfigError } from '#platform/config/config.ts';

/** Exit codes of every command; docs/cli.md and `--help` list them. */
export const exitCodes = {
  done: 0,
  /** It failed, or `doctor` found a fault. */
  failed: 1,
  /** Wrong usage, or a configuration that cannot be used. */
  usage: 2,
  /** The service refused it: something is missing or not allowed, or the credential is wrong. */
  refused: 3,
  /** The service cannot be reached, or is too busy. */
  unreachable: 4,
  /** It was done, but some rows failed. */
  someFailed: 5,
  /** Ended by Ctrl-C, as shells count it. */
  interrupted: 130,
} as const;

/** What the codes mean, for the end of the help. */
export const exitCodeHelp = `
Exit codes:
  0    done
  1    failed
  2    wrong usage, or a configuration that cannot be used
  3    refused by the service: not found, not allowed, not valid
  4    the service cannot be reached, or is too busy
  5    done, but some rows failed (import)
  130  ended by Ctrl-C`;

/** A command that ends with a code of its own, and what to say to people. */
export class CommandError extends Error {
  override readonly name = 'CommandError';
  readonly exitCode: number;

  constructor(exitCode: number, message: string, options?: ErrorOptions) {
    super(message, options);
    this.exitCode = exitCode;
  }
}

/** The exit code for a failure. */
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
