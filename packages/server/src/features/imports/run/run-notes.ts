import type { Context } from '#platform/context.ts';
import { findRunning, noteRun, type ImportRow, type ImportRun, type RunNotes } from '../store/import-store.ts';

/** Why a run has to end: the import was cancelled, or another run has taken over. */
export class RunOver extends Error {
  override readonly name = 'RunOver';
  constructor() {
    super('the import was cancelled, or runs elsewhere');
  }
}

/** Writes down how far a run is; throws a {@link RunOver} when it has to end. */
export async function note({ db }: Pick<Context, 'db'>, run: ImportRun, notes: RunNotes): Promise<void> {
  if (!(await noteRun(db, run, notes))) throw new RunOver();
}

/** The import of a run as it is now; throws a {@link RunOver} when it has to end. */
export async function requireRunning({ db }: Pick<Context, 'db'>, run: ImportRun): Promise<ImportRow> {
  const row = await findRunning(db, run);
  if (row === undefined) throw new RunOver();
  return row;
}
