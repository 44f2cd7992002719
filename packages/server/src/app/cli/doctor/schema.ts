import type pg from 'pg';
import { databaseOn } from '#platform/database/connection/database.ts';
import { findLineage, lineageRefusal } from '#platform/database/schema/lineage.ts';
import { migrationNames } from '#platform/database/schema/migrate.ts';
import { appliedMigrations } from './database-store.ts';
import { fault, ok, warning, type Finding } from './finding.ts';

/** Whether the database has the schema of this version. */
export async function checkSchema(client: pg.Client): Promise<readonly Finding[]> {
  const [applied, known] = await Promise.all([appliedMigrations(client), migrationNames()]);
  const refusal = lineageRefusal(await findLineage(databaseOn(client), known));
  if (refusal !== undefined) return [fault(refusal.problem, `${refusal.advice} This version would not start.`)];
  if (applied === undefined) {
    return [
      warning('The database has no schema of Roster yet.', 'Start the service, or run `roster migrate`: both make it.'),
    ];
  }
  const missing = known.filter((name) => !applied.includes(name));
  if (missing.length === 0) return [ok(`The schema is the newest (${known.length} migrations).`)];
  return [
    warning(
      `${missing.length} of ${known.length} migrations are not applied yet, the first of them ${missing[0]}.`,
      'Start the service, or run `roster migrate`: both apply them.',
    ),
  ];
}
