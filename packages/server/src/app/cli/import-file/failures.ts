import { createWriteStream } from 'node:fs';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { RosterError, type Import } from '@roster/client';
import { pathFromCaller } from '../terminal/shell.ts';
import type { ImportSession } from './import-session.ts';

// Milliseconds. A cancelled or failed import ends before the service has written its failures. That
// takes some seconds for a large file.
const maxWait = 60_000;
const pollInterval = 250;

/** The result of {@link writeFailures}. */
export interface WrittenFailures {
  /**
   * The import with its final counts. The counts of a cancelled or failed import can still grow
   * until its failures are written.
   */
  readonly counted: Import;
  /** The file with the failures; undefined if there are none, or if they are not available. */
  readonly file: string | undefined;
}

/**
 * Writes the failures of an ended import to a file: the rows that failed, and the rows with values
 * that were left out. Waits up to a minute for the failures of a cancelled or failed import. If
 * they are not available, writes a note to standard error.
 */
export async function writeFailures(session: ImportSession, ended: Import, file: string): Promise<WrittenFailures> {
  const { account } = session;
  const { signal } = session.interrupt;
  const isComplete = ended.status === 'completed';
  if (isComplete && !hasFailures(ended)) return { counted: ended, file: undefined };
  const content = await openFailures(session, ended);
  const counted = isComplete ? ended : await account.imports.get(ended.import_id, { signal });
  if (content === undefined || !hasFailures(counted)) {
    await content?.cancel();
    return { counted, file: undefined };
  }
  // The file holds personal data, so that only its owner may read it.
  await pipeline(Readable.from(content), createWriteStream(pathFromCaller(file), { mode: 0o600 }), { signal });
  return { counted, file };
}

/** Returns the command that downloads the failures of an import. */
export const commandForFailures = ({ commandFor }: ImportSession, importId: string): string =>
  commandFor(importId, { options: '--failures failures.csv' });

const hasFailures = ({ counts }: Import): boolean => counts.failed + counts.warnings > 0;

async function openFailures(
  session: ImportSession,
  { import_id: importId, status }: Import,
): Promise<ReadableStream<Uint8Array> | undefined> {
  const { output, account } = session;
  const { signal } = session.interrupt;
  const deadline = performance.now() + maxWait;
  for (;;) {
    try {
      return await account.imports.failures(importId, { signal });
    } catch (error) {
      if (!(error instanceof RosterError)) throw error;
      // A cancelled or failed import may have no file of failures. That is not an error here: the
      // command still reports the import.
      const isMissing = error.status === 410 && status !== 'completed';
      if (!isMissing && error.status !== 409) throw error;
      if (isMissing || performance.now() > deadline) {
        const more = isMissing ? '' : `\nTo download them later:\n  ${commandForFailures(session, importId)}`;
        await output.note(`${error.message}${more}`);
        return undefined;
      }
    }
    await sleep(pollInterval, undefined, { signal }).catch(() => signal.throwIfAborted());
  }
}
