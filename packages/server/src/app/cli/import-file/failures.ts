import { createWriteStream } from 'node:fs';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { RosterError, type Import } from '@roster/client';
import { pathFromCaller } from '../terminal/invoked-from.ts';
import type { ImportSession } from './import-session.ts';

// Milliseconds. An import that was stopped part-way has ended before its failures are written, which takes seconds for a large file.
const patience = 60_000;
const pauseBetweenLooks = 250;

/** What came of asking for the rows that failed. */
export interface WrittenFailures {
  /** The import as it is then: one that was stopped goes on counting what was on its way until its failures are written. */
  readonly counted: Import;
  /** Where they are; undefined when there are none, or they cannot be had. */
  readonly file: string | undefined;
}

/**
 * Writes the rows that failed, and those of which values were left out, of an import that has ended. One that was stopped is given a minute
 * to write them down; where they cannot be had, a note says so.
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
  // They are contacts: for the eyes of whoever imports them.
  await pipeline(Readable.from(content), createWriteStream(pathFromCaller(file), { mode: 0o600 }), { signal });
  return { counted, file };
}

/** The command that gets the rows that failed of an import. */
export const commandForFailures = ({ commandFor }: ImportSession, importId: string): string =>
  commandFor(importId, { options: '--failures failures.csv' });

const hasFailures = ({ counts }: Import): boolean => counts.failed + counts.warnings > 0;

async function openFailures(
  session: ImportSession,
  { import_id: importId, status }: Import,
): Promise<ReadableStream<Uint8Array> | undefined> {
  const { output, account } = session;
  const { signal } = session.interrupt;
  const until = Date.now() + patience;
  for (;;) {
    try {
      return await account.imports.failures(importId, { signal });
    } catch (error) {
      if (!(error instanceof RosterError)) throw error;
      // An import that was stopped may have no such file. What became of it is said all the same.
      const isMissing = error.status === 410 && status !== 'completed';
      if (!isMissing && error.status !== 409) throw error;
      if (isMissing || Date.now() > until) {
        const more = isMissing ? '' : `\nTo get them later:\n  ${commandForFailures(session, importId)}`;
        await output.note(`${error.message}${more}`);
        return undefined;
      }
    }
    await sleep(pauseBetweenLooks, undefined, { signal }).catch(() => signal.throwIfAborted());
  }
}
