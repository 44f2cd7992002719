import type pg from 'pg';
import { monthOfPartition } from '#features/activities/store/partition-name.ts';
import { jobSchema } from '#platform/database/schema/job-schema.ts';
import { signInTables } from './sign-in-tables.ts';

/** A table that stores rows: an ordinary table, or a partition. */
export interface CatalogueTable {
  readonly schema: string;
  readonly name: string;
  /** For a partition: its table, in the same schema, and its bound as PostgreSQL writes it. */
  readonly partition: { readonly of: string; readonly bound: string } | null;
  /** Without generated columns. */
  readonly columns: readonly string[];
  /** Size on disk, without indexes. */
  readonly bytes: number;
}

/** A sequence and its state. */
export interface CatalogueSequence {
  readonly schema: string;
  readonly name: string;
  /** A text, because the value can be too large for a JavaScript number. */
  readonly last_value: string;
  readonly is_called: boolean;
}

/** The schemas of Roster and of its job library. */
export const backedUpSchemas = ['public', jobSchema] as const;

/**
 * The tables that a backup does not contain. All other tables of the schemas are backed up, so that
 * a new table is never forgotten.
 *
 * A restore creates these tables: the applied migrations, the id and the backups of the
 * installation. A restored copy has a new id, so that it never deletes the backups of its original.
 * The marks of its history are its own too.
 */
const excludedTables: ReadonlySet<string> = new Set([
  ...signInTables.map((name) => `public.${name}`),
  'public.kysely_migration',
  'public.kysely_migration_lock',
  'public.installation',
  'public.backup_runs',
  'public.history_marks',
  `${jobSchema}.migrations`,
]);

/** Lists the tables to back up. */
export async function listTables(client: pg.ClientBase): Promise<CatalogueTable[]> {
  const { rows } = await client.query<CatalogueTable & { detaching: boolean }>(
    `select n.nspname as schema, c.relname as name, coalesce(pg_table_size(c.oid), 0)::float8 as bytes, coalesce(i.inhdetachpending, false) as detaching,
       case when p.oid is not null then json_build_object('of', p.relname, 'bound', pg_get_expr(c.relpartbound, c.oid)) end as partition,
       array(select a.attname::text from pg_attribute a
             where a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped and a.attgenerated = '' order by a.attnum) as columns
     from pg_class c
     join pg_namespace n on n.oid = c.relnamespace
     left join pg_inherits i on i.inhrelid = c.oid
     left join pg_class p on p.oid = i.inhparent
     where n.nspname = any ($1) and c.relkind = 'r' and c.relpersistence <> 't'
       and not exists (select 1 from pg_depend d where d.classid = 'pg_class'::regclass and d.objid = c.oid and d.deptype = 'e')
     order by n.nspname, c.relname`,
    [backedUpSchemas],
  );
  return rows.flatMap(({ detaching, ...table }) => {
    // Old months of activities are detached before they are dropped. They need no backup.
    const isOld = detaching || (table.partition === null && monthOfPartition(table.name) !== undefined);
    return isOld || excludedTables.has(`${table.schema}.${table.name}`) ? [] : [table];
  });
}

/**
 * Lists the sequences of the schemas. They have their current values, not those of the snapshot.
 */
export async function listSequences(client: pg.ClientBase): Promise<CatalogueSequence[]> {
  const { rows: found } = await client.query<{ schema: string; name: string; own: string }>(
    `select n.nspname as schema, c.relname as name, format('%I.%I', n.nspname, c.relname) as own
     from pg_class c join pg_namespace n on n.oid = c.relnamespace
     where n.nspname = any ($1) and c.relkind = 'S' and c.relpersistence <> 't' order by n.nspname, c.relname`,
    [backedUpSchemas],
  );
  const sequences: CatalogueSequence[] = [];
  for (const { schema, name, own } of found) {
    const { rows } = await client.query<{ last_value: string; is_called: boolean }>(
      `select last_value::text, is_called from ${own}`,
    );
    sequences.push({ schema, name, ...rows[0]! });
  }
  return sequences;
}

/** Sorts tables so that each comes after the tables that its foreign keys refer to. */
export async function sortByReference<T extends Pick<CatalogueTable, 'schema' | 'name'>>(
  client: pg.ClientBase,
  tables: readonly T[],
): Promise<T[]> {
  const { rows } = await client.query<{ from: string; to: string }>(
    `select t.relname as from, r.relname as to
     from pg_constraint k join pg_class t on t.oid = k.conrelid join pg_class r on r.oid = k.confrelid
     where k.contype = 'f' and k.conrelid <> k.confrelid and k.connamespace = any (select oid from pg_namespace where nspname = any ($1))`,
    [backedUpSchemas],
  );
  const ordered: T[] = [];
  const waiting = new Set(tables);
  while (waiting.size > 0) {
    const names = new Set([...waiting].map(({ name }) => name));
    const free = [...waiting].filter(({ name }) => !rows.some((key) => key.from === name && names.has(key.to)));
    // Roster has no such tables. A restore of them would need deferred foreign keys.
    if (free.length === 0) throw new Error(`the tables ${[...names].join(', ')} refer to each other`);
    for (const table of free) {
      ordered.push(table);
      waiting.delete(table);
    }
  }
  return ordered;
}
