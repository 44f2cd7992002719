import { sql, type Selectable } from 'kysely';
import type { Database } from '#platform/database/connection/database.ts';
import type { Tables } from '#platform/database/schema/tables.ts';

/** An export whose file may contain a person. */
export type ExportFileRow = Pick<
  Selectable<Tables['exports']>,
  'request_id' | 'audience_type' | 'audience_id' | 'expires_at'
> & { readonly status: 'accepted' | 'running' | 'completed' };

const columns = sql`e.request_id, e.audience_type, e.audience_id, e.status, e.expires_at`;

/**
 * The exports whose files are there or will be, and may contain a contact: it existed before they ended, and they are of a segment, of a list
 * that it is in, or of one that it may have been in then because it has changed since.
 */
export async function exportsWith(db: Database, accountId: number, contactId: number): Promise<ExportFileRow[]> {
  const { rows } = await sql<ExportFileRow>`
    select ${columns} from contacts c join exports e on e.account_id = c.account_id
    where c.account_id = ${accountId} and c.contact_id = ${contactId} and e.status in ('accepted', 'running', 'completed')
      and coalesce(e.finished_at, 'infinity') >= c.created_at
      and (e.audience_type = 'segment' or e.audience_id = any (c.list_ids) or c.updated_at >= e.started_at)
    order by e.request_id`.execute(db);
  return rows;
}

/** Those of some exports whose files are still there, or being written, and were begun before a moment. */
export async function filesBegunBefore(
  db: Database,
  accountId: number,
  requestIds: readonly string[],
  moment: Date,
): Promise<ExportFileRow[]> {
  const { rows } = await sql<ExportFileRow>`
    select ${columns} from exports e
    where e.account_id = ${accountId} and e.request_id = any (${[...requestIds]}::uuid[]) and e.status in ('running', 'completed')
      and e.started_at < ${moment}
    order by e.request_id`.execute(db);
  return rows;
}
