import { Readable } from 'node:stream';
import { sql } from 'kysely';
import { writeAudit, type Author } from '#platform/audit-log/audit-log.ts';
import type { Context } from '#platform/context.ts';
import { openSnapshot } from '#platform/database/connection/snapshot.ts';
import { ApiError } from '#platform/errors/api-error.ts';
import type { FairGate } from '#platform/load/fair-gate.ts';
import { writePersonExport } from './person-export.ts';

/** Limits the person exports that run at the same time, for each account and in total. */
export type PersonExportGate = FairGate<number>;

/**
 * Streams all data about a person as JSON with constant memory. Destroy the stream to cancel the
 * export.
 *
 * Throws `not_found`, or `overloaded` while too many other exports run. A later error ends the
 * stream early.
 */
export async function exportPerson(
  context: Context,
  gate: PersonExportGate,
  accountId: number,
  contactId: number,
  author: Author,
): Promise<Readable> {
  const leave = gate.tryEnter(accountId);
  if (leave === undefined) {
    throw new ApiError('overloaded', { params: { seconds: 5 }, headers: { 'retry-after': '5' } });
  }
  const chunks = openPersonExport(context, accountId, contactId, leave);
  // Read the first chunk before the response starts, so that an error until then becomes an error
  // response.
  const first = await chunks.next();
  try {
    await writeAudit(context.db, context, {
      accountId,
      actor: author,
      action: 'contact.export',
      subject: `contact:${contactId}`,
    });
  } catch (error) {
    await chunks.return();
    throw error;
  }
  return Readable.from(withFirst(first, chunks), { objectMode: false });
}

// If the client does not read for this time, PostgreSQL ends the export. Its open snapshot keeps
// vacuum from removing old rows.
const idleTimeout = '60s';

async function* openPersonExport(
  context: Context,
  accountId: number,
  contactId: number,
  leave: () => void,
): AsyncGenerator<string, void, undefined> {
  try {
    await using snapshot = await openSnapshot(context);
    await sql`set local idle_in_transaction_session_timeout = ${sql.lit(idleTimeout)}`.execute(snapshot.db);
    yield* writePersonExport(snapshot, context, accountId, contactId);
    await snapshot.finish();
  } finally {
    leave();
  }
}

/**
 * Puts back the first result of a generator. `return` ends the generator even if nothing was read,
 * so that the connection is released when the stream is destroyed early.
 */
function withFirst<T>(first: IteratorResult<T, void>, rest: AsyncGenerator<T, void, undefined>): AsyncIterable<T> {
  let pending: IteratorResult<T, void> | undefined = first;
  return {
    [Symbol.asyncIterator]: () => ({
      async next() {
        const result = pending ?? rest.next();
        pending = undefined;
        return result;
      },
      return: async () => rest.return(),
    }),
  };
}
