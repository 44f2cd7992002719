import { sql } from 'kysely';
import { loadSegments } from '#features/audiences/segment-store.ts';
import type { Registry } from '#features/registry/registry.ts';
import type { Database } from '#platform/database/connection/database.ts';
import { ApiError } from '#platform/errors/api-error.ts';
import { compileFilter } from '#features/search/filter/compile.ts';
import { resolveAudience } from '#features/search/search.ts';

/**
 * Returns the segments that a contact matches. Each check reads one row. A segment that cannot be
 * evaluated is left out.
 */
export async function segmentsOf(
  db: Database,
  accountId: number,
  registry: Registry,
  contactId: number,
): Promise<{ audience_id: number; name: string }[]> {
  const found: { audience_id: number; name: string }[] = [];
  for (const { audience_id, name } of await loadSegments(db, accountId)) {
    if (await isInSegment(db, accountId, registry, contactId, audience_id)) found.push({ audience_id, name });
  }
  return found;
}

async function isInSegment(
  db: Database,
  accountId: number,
  registry: Registry,
  contactId: number,
  segmentId: number,
): Promise<boolean> {
  const audience = { audience_type: 'segment', audience_id: [segmentId] } as const;
  try {
    const filter = await resolveAudience({ searchDb: db }, { accountId, registry, unmasked: true }, audience);
    const { rows } = await sql`
      select from contacts where contacts.account_id = ${accountId} and contacts.contact_id = ${contactId} and ${compileFilter(filter)}`.execute(
      db,
    );
    return rows.length > 0;
  } catch (error) {
    if (error instanceof ApiError && error.code === 'invalid_request') return false;
    throw error;
  }
}
