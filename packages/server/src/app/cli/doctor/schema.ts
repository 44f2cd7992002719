import type pg from 'pg';
import { databaseOn } from '#platform/database/connection/database.ts';
import { findLineage, lineageRefusal } from '#platform/database/schema/lineage.ts';
import { migrationNames } from '#platform/database/schema/migrate.ts';
import { appliedMigrations } from './database-store.ts';
import { fault, ok, warning, type Finding } from './findings/finding.ts';

/** Checks that the database has the schema of this version. */
export async function checkSchema(client: pg.Client): Promise<readonly Finding[]> {
  const [applied, known] = await Promise.all([appliedMigrations(client), migrationNames()]);
  const refusal = lineageRefusal(await findLineage(databaseOn(client), known));
  if (refusal !== undefined) return [fault(refusal.problem, `${refusal.advice} This version would not start.`)];
  if (applied === undefined) {
    return [
      warning(
        'The database has no Roster schema yet.',
        'Start the service, or run `roster migrate`. Both create the schema.',
      ),
    ];
  }
  const missing = known.filter((name) => !applied.includes(name));
  if (missing.length === 0) return [ok(`The schema is up to date (${known.length} migrations).`)];
  return [
    warning(
      `${missing.length} of ${known.length} migrations are not applied yet. The first is ${missing[0]}.`,
      'Start the service, or run `roster migrate`. Both apply the migrations.',
    ),
  ];
}
