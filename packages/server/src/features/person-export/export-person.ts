import { Readable } from 'node:stream';
import { sql } from 'kysely';
import { writeAudit } from '#platform/audit-log/audit-log.ts';
import type { Context } from '#platform/context.ts';
import { openSnapshot } from '#platform/database/connection/snapshot.ts';
import { ApiError } from '#platform/errors/api-error.ts';
import type { FairGate } from '#platform/load/fair-gate.ts';
import { writePersonExport } from './person-export.ts';

/** Where exports of people wait for their turn, of all accounts. */
export type PersonExportGate = FairGate<'person'>;

/**
 * Streams all that the service knows of a person as JSON; the memory that it needs does not depend on how much that is. Whoever destroys the
 * stream ends the work.
 *
 * Throws `not_found`, and `overloaded` while others are exported; what fails later breaks the stream off.
 */
export async function exportPerson(
  context: Context,
  gate: PersonExportGate,
  accountId: number,
  contactId: number,
): Promise<Readable> {
  const leave = gate.tryEnter('person');
  if (leave === undefined) {
    throw new ApiError('overloaded', { params: { seconds: 5 }, headers: { 'retry-after': '5' } });
  }
  const pieces = openPersonExport(context, accountId, contactId, leave);
  // The first piece is written before the answer begins, so that what is wrong by then is an error answer.
  const first = await pieces.next();
  try {
    await writeAudit(context.db, context, {
      accountId,
      actor: 'operator',
      action: 'contact.export',
      subject: `contact:${contactId}`,
    });
  } catch (error) {
    await pieces.return();
    throw error;
  }
  return Readable.from(resumed(first, pieces), { objectMode: false });
}

// A client that does not read for so long has gone, or keeps a moment of the database from being cleaned up: the server ends it.
const patience = '60s';

async function* openPersonExport(
  context: Context,
  accountId: number,
  contactId: number,
  leave: () => void,
): AsyncGenerator<string, void, undefined> {
  try {
    await using snapshot = await openSnapshot(context.pool);
    await sql`set local idle_in_transaction_session_timeout = ${sql.lit(patience)}`.execute(snapshot.db);
    yield* writePersonExport(snapshot, context, accountId, contactId);
    await snapshot.finish();
  } finally {
    leave();
  }
}

/** A generator whose first piece was taken already. It is ended when the stream is, whether that was read or not. */
function resumed<T>(first: IteratorResult<T, void>, rest: AsyncGenerator<T, void, undefined>): AsyncIterable<T> {
  let taken: IteratorResult<T, void> | undefined = first;
  return {
    [Symbol.asyncIterator]: () => ({
      async next() {
        const piece = taken ?? rest.next();
        taken = undefined;
        return piece;
      },
      return: async () => rest.return(),
    }),
  };
}
