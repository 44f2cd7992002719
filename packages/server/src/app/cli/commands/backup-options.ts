import { InvalidArgumentError } from 'commander';
import type { BackupPlace } from '#platform/config/backup-place.ts';
import { explainFailure } from '../../supervisor/failure.ts';
import { reasonOf } from '../doctor/finding.ts';
import { CommandError, exitCodes } from '../terminal/exit-codes.ts';
import { pathFromCaller } from '../terminal/invoked-from.ts';

/** Reads the place that an option names. Throws a {@link CommandError} when the text is not a place, or with `missing` when there is none. */
export async function readPlace(option: string, text: string | undefined, missing: string): Promise<BackupPlace> {
  const { readBackupPlace } = await import('#platform/config/backup-place.ts');
  if (text === undefined || text.trim() === '') throw new CommandError(exitCodes.usage, missing);
  try {
    return readBackupPlace(text.includes('://') ? text : pathFromCaller(text));
  } catch (error) {
    throw new CommandError(exitCodes.usage, `${option} ${(error as Error).message}.`, { cause: error });
  }
}

/** Reads a moment with its time zone. Throws an `InvalidArgumentError` for anything else. */
export function readMoment(text: string): Date {
  const day = /^(\d{4}-\d\d-\d\d)T\d\d:\d\d(:\d\d(\.\d+)?)?(Z|[+-]\d\d:\d\d)$/.exec(text)?.[1];
  const moment = new Date(text);
  // JavaScript takes 31 February for 3 March.
  const exists = day !== undefined && showDay(new Date(`${day}T00:00Z`)) === day && showDay(moment) !== undefined;
  if (exists) return moment;
  throw new InvalidArgumentError('It must be a moment with its time zone, such as 2026-01-31T14:05:00Z.');
}

const showDay = (date: Date): string | undefined =>
  Number.isNaN(date.getTime()) ? undefined : date.toISOString().slice(0, 10);

/** The error of a backup or a restore for people: what failed and why, and what to do about a place or a database that cannot be used. */
export async function explained(
  what: string,
  fault: unknown,
  place: BackupPlace,
  signal: AbortSignal,
): Promise<unknown> {
  // What fails after Ctrl-C fails because of it.
  if (signal.aborted) return signal.reason;
  const { explainStorage } = await import('#features/backups/store/backup-store.ts');
  const error = explainStorage(place, fault);
  if (!(error instanceof Error) || error instanceof CommandError || explainFailure(error) !== undefined) return error;
  return new CommandError(exitCodes.failed, `${what}: ${reasonOf(error)}.`, { cause: error });
}
