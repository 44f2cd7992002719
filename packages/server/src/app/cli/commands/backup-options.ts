import { InvalidArgumentError } from 'commander';
import type { BackupPlace } from '#platform/config/backup-place.ts';
import { explainFailure } from '../../supervisor/failure.ts';
import { reasonOf } from '../doctor/findings/finding.ts';
import { CommandError, exitCodes } from '../terminal/exit-codes.ts';
import { pathFromCaller } from '../terminal/shell.ts';

/**
 * Reads an option that names a directory or an S3 prefix. Throws a {@link CommandError} if the text
 * is invalid, or with the message `missing` if there is no text.
 */
export async function readPlace(option: string, text: string | undefined, missing: string): Promise<BackupPlace> {
  const { readBackupPlace } = await import('#platform/config/backup-place.ts');
  if (text === undefined || text.trim() === '') throw new CommandError(exitCodes.usage, missing);
  try {
    return readBackupPlace(text.includes('://') ? text : pathFromCaller(text));
  } catch (error) {
    throw new CommandError(exitCodes.usage, `${option} ${(error as Error).message}.`, { cause: error });
  }
}

/** Reads a date and time with a time zone. Throws an `InvalidArgumentError` for any other text. */
export function readMoment(text: string): Date {
  const day = /^(\d{4}-\d\d-\d\d)T\d\d:\d\d(:\d\d(\.\d+)?)?(Z|[+-]\d\d:\d\d)$/.exec(text)?.[1];
  const moment = new Date(text);
  // JavaScript reads 31 February as 3 March.
  const exists = day !== undefined && showDay(new Date(`${day}T00:00Z`)) === day && showDay(moment) !== undefined;
  if (exists) return moment;
  throw new InvalidArgumentError('It must be a moment with its time zone, such as 2026-01-31T14:05:00Z.');
}

const showDay = (date: Date): string | undefined =>
  Number.isNaN(date.getTime()) ? undefined : date.toISOString().slice(0, 10);

/**
 * Returns the error to show for a backup or restore that failed: what failed, why, and what to do
 * if the place or the database cannot be used.
 */
export async function explainBackupError(
  what: string,
  fault: unknown,
  place: BackupPlace,
  signal: AbortSignal,
): Promise<unknown> {
  // After Ctrl-C, any error is a consequence of the interruption.
  if (signal.aborted) return signal.reason;
  const { explainStorage } = await import('#features/backups/store/backup-store.ts');
  const error = explainStorage(place, fault);
  if (!(error instanceof Error) || error instanceof CommandError || explainFailure(error) !== undefined) return error;
  return new CommandError(exitCodes.failed, `${what}: ${reasonOf(error)}.`, { cause: error });
}
