import type { AuditAction } from '@roster/contract';
import { writeAudit, type Author } from '#platform/audit-log/audit-log.ts';
import type { Context } from '#platform/context.ts';
import type { Database } from '#platform/database/connection/database.ts';
import type { Tables } from '#platform/database/schema/tables.ts';
import { conflict } from '#platform/errors/api-error.ts';
import { nounOf, type LongRunKey, type LongRuns, type RunRow } from './long-runs.ts';

/**
 * Cancels long work for an operator, in any process, whether it waits or runs. A second call
 * changes nothing.
 *
 * `end` ends the work in the given transaction. It returns undefined when the work has already
 * ended. Throws `not_found`, and `conflict` when the work has ended in another way.
 */
export async function cancelRun<Table extends keyof Tables>(
  context: Context,
  runs: LongRuns<Table>,
  key: LongRunKey,
  author: Author,
  end: (trx: Database) => Promise<RunRow<Table> | undefined>,
): Promise<RunRow<Table>> {
  const { name } = runs.kind;
  const noun = nounOf(name);
  await context.db.transaction().execute(async (trx) => {
    if ((await end(trx)) === undefined) {
      const { status } = (await runs.require(trx, key)) as { readonly status: string };
      if (status === 'cancelled') return;
      throw conflict(`The ${noun} is ${status}. It can be cancelled only before it has ended.`);
    }
    await writeAudit(trx, context, {
      accountId: key.accountId,
      actor: author,
      // Only exports, imports and bulk changes can be cancelled.
      action: `${name.replaceAll('_', '-')}.cancel` as AuditAction,
      subject: `${name.replaceAll('_', '-')}:${key.id}`,
    });
  });
  return runs.require(context.db, key);
}
