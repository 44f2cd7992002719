import { sql } from 'kysely';
import type { Database } from '../connection/database.ts';

/** How the migrations of a database relate to those of this version. */
export type Lineage =
  /** The database is empty, or has only the first migrations of this version. */
  | { readonly kind: 'own' }
  /** The database has all migrations of this version, and later ones. */
  | { readonly kind: 'newer'; readonly migration: string }
  /** The database has a migration that no version of Roster has in this position. */
  | { readonly kind: 'unknown'; readonly migration: string }
  /** The database has tables, but no migrations. */
  | { readonly kind: 'foreign'; readonly tables: readonly string[] };

/** Compares the applied migrations with those of this version. Both lists must be in order. */
export function lineageOf(applied: readonly string[], known: readonly string[]): Lineage {
  const differing = applied.findIndex((name, index) => index < known.length && name !== known[index]);
  if (differing !== -1) return { kind: 'unknown', migration: applied[differing]! };
  const later = applied.slice(known.length);
  const stray = later.find((name) => !/^\d{4}_\w+$/.test(name));
  if (stray !== undefined) return { kind: 'unknown', migration: stray };
  return later.length === 0 ? { kind: 'own' } : { kind: 'newer', migration: later.at(-1)! };
}

/** Finds the lineage of a database. `known` are the names of the migrations of this version. */
export async function findLineage(db: Database, known: readonly string[]): Promise<Lineage> {
  const { rows: found } = await sql<{
    exists: boolean;
  }>`select to_regclass('kysely_migration') is not null as exists`.execute(db);
  if (found[0]!.exists) {
    const { rows } = await sql<{ name: string }>`select name from kysely_migration order by name`.execute(db);
    // The table is empty when a start was killed before its first migration.
    if (rows.length > 0)
      return lineageOf(
        rows.map(({ name }) => name),
        known,
      );
  }
  const { rows: tables } = await sql<{ name: string }>`
    select c.relname as name from pg_class c
    where c.relnamespace = current_schema()::regnamespace and c.relkind in ('r', 'p') and c.relname not like 'kysely_migration%'
      and not exists (select 1 from pg_depend d where d.classid = 'pg_class'::regclass and d.objid = c.oid and d.deptype = 'e')
    order by c.relname`.execute(db);
  return tables.length === 0 ? { kind: 'own' } : { kind: 'foreign', tables: tables.map(({ name }) => name) };
}

/** Explains why a database cannot be used, and what to do; undefined when it can be used. */
export function lineageRefusal(lineage: Lineage): { readonly problem: string; readonly advice: string } | undefined {
  switch (lineage.kind) {
    case 'own':
      return undefined;
    case 'newer':
      return {
        problem: `A newer version of Roster made the database (migration ${lineage.migration}).`,
        advice: 'Start that version or a later one. The data was not changed.',
      };
    case 'unknown':
      return {
        problem: `The database has the migration ${lineage.migration}, which no version of Roster has in this position. Another program or a changed copy of Roster made it.`,
        advice: 'Check DATABASE_URL, and use the program that made the database. The data was not changed.',
      };
    case 'foreign': {
      const shown = lineage.tables.slice(0, 5).join(', ') + (lineage.tables.length > 5 ? ', …' : '');
      return {
        problem: `The database has tables that Roster did not make (${shown}).`,
        advice: 'Check DATABASE_URL, and give Roster an empty database of its own. The data was not changed.',
      };
    }
    default:
      return lineage satisfies never;
  }
}
