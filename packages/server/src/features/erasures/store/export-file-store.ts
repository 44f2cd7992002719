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
 * Returns the exports whose files may contain a contact. The contact must be older than the end of
 * the export. In addition, one of these must hold:
 *
 * - The export is of a segment or a filter.
 * - The export is of a list that the contact is in.
 * - The contact has changed since the export started, so that it may have been in the list then.
 */
export async function exportsContaining(db: Database, accountId: number, contactId: number): Promise<ExportFileRow[]> {
  const { rows } = await sql<ExportFileRow>`
    select ${columns} from contacts c join exports e on e.account_id = c.account_id
    where c.account_id = ${accountId} and c.contact_id = ${contactId} and e.status in ('accepted', 'running', 'completed')
      and coalesce(e.finished_at, 'infinity') >= c.created_at
      and (e.audience_type is distinct from 'list' or e.audience_id = any (c.list_ids) or c.updated_at >= e.started_at)
    order by e.request_id`.execute(db);
  return rows;
}

/** Returns the given exports that started before a time and have a file, or are writing it. */
export async function filesStartedBefore(
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
