import type { Author } from '#platform/audit-log/audit-log.ts';
import type { Context } from '#platform/context.ts';
import { given } from '#platform/given.ts';
import { createImport } from './create-import.ts';

/** A file of contacts at a URL. */
export interface ImportFromUrl {
  /** The same URLs are allowed as for `source_url` of an import. */
  readonly url: string;
  /** The list to which the contacts are added. */
  readonly listId?: number | undefined;
  /** The address that gets a mail at the end. */
  readonly notifyEmail?: string | undefined;
}

/**
 * Creates an import that fetches its file, with columns that are found by their names: fields,
 * attributes and the primary key of the account, in any letter case. Other columns are left out,
 * and the mail at the end names them. Returns the `import_id`.
 *
 * Throws `not_found` for an unknown account, `conflict` when too many files of the account wait to
 * be fetched, and `invalid_request` with faults at `source_url`, `audience_ids[0]` or
 * `notify_email`.
 */
export async function importFromUrl(
  context: Context,
  accountId: number,
  { url, listId, notifyEmail }: ImportFromUrl,
  author: Author,
): Promise<string> {
  const row = await createImport(
    context,
    accountId,
    {
      source_url: url,
      unknown_columns: 'skip',
      ...given({ audience_ids: listId === undefined ? undefined : [listId], notify_email: notifyEmail }),
    },
    author,
  );
  return row.import_id;
}
