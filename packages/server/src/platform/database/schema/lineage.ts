import { sql } from 'kysely';
import type { Database } from '../connection/database.ts';

/** How the migrations of a database relate to those of this version. */
export type Lineage =
  /** Nothing is there, or the first of this version's migrations are: the rest can be applied. */
  | { readonly kind: 'own' }
  /** All migrations of this version, and later ones. */
  | { readonly kind: 'newer'; readonly migration: string }
  /** Migrations that no version of Roster has there. */
  | { readonly kind: 'unknown'; readonly migration: string }
  /** Tables, and no migrations. */
  | { readonly kind: 'foreign'; readonly tables: readonly string[] };

/** Compares the migrations that a database has with those of this version, both in order; {@link findLineage} without its look at the database. */
export function lineageOf(applied: readonly string[], known: readonly string[]): Lineage {
  const differing = applied.findIndex((name, index) => index < known.length && name !== known[index]);
  if (differing !== -1) return { kind: 'unknown', migration: applied[differing]! };
  const later = applied.slice(known.length);
  const stray = later.find((name) => !/^\d{4}_\w+$/.test(name));
  if (stray !== undefined) return { kind: 'unknown', migration: stray };
  return later.length === 0 ? { kind: 'own' } : { kind: 'newer', migration: later.at(-1)! };
}

/** Finds out whose the schema of a database is; changes nothing. `known` are the names of this version's migrations. */
export async function findLineage(db: Database, known: readonly string[]): Promise<Lineage> {
  const { rows: found } = await sql<{
    exists: boolean;
  }>`select to_regclass('kysely_migration') is not null as exists`.execute(db);
  if (found[0]!.exists) {
    const { rows } = await sql<{ name: string }>`select name from kysely_migration order by name`.execute(db);
    // A start that was killed before its first migration leaves the table empty.
    if (rows.length > 0)
      return lineageOf(
        rows.map(({ name }) => name),
        known,
      );
  }
  const { rows: tables } = await sql<{ name: string }>`
    select c.relname as name from pg_class c
    where c.relnamespace = current_schema()::regnamespace and c.relkind in ('r', 'p') and c.relname not like 'kysely_migration%'
      and not exists (select from pg_depend d where d.classid = 'pg_class'::regclass and d.objid = c.oid and d.deptype = 'e')
    order by c.relname`.execute(db);
  return tables.length === 0 ? { kind: 'own' } : { kind: 'foreign', tables: tables.map(({ name }) => name) };
}

/** Why a database cannot be used, and what to do, in two sentences; undefined when it can. */
export function lineageRefusal(lineage: Lineage): { readonly problem: string; readonly advice: string } | undefined {
  switch (lineage.kind) {
    case 'own':
      return undefined;
    case 'newer':
      return {
        problem: `The database was made by a newer version of Roster (migration ${lineage.migration}).`,
        advice: 'Start that version or a later one; the data was not touched.',
      };
    case 'unknown':
      return {
        problem: `The database has a migration that no version of Roster has at its place (${lineage.migration}). Another program made it, or a changed copy of Roster.`,
        advice: 'Check DATABASE_URL, and use the program that made the database; the data was not touched.',
      };
    case 'foreign': {
      const shown = lineage.tables.slice(0, 5).join(', ') + (lineage.tables.length > 5 ? ', …' : '');
      return {
        problem: `The database has tables that Roster did not make (${shown}).`,
        advice: 'Check DATABASE_URL, and give Roster an empty database of its own; the data was not touched.',
      };
    }
    default:
      return lineage satisfies never;
  }
}
