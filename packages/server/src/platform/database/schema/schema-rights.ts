import { sql } from 'kysely';
import type { Database } from '../connection/database.ts';
import { jobSchema } from './job-schema.ts';

/** A reason why the role of Roster cannot use the database. */
export interface RightsFault {
  /** Describes the fault, as a sentence. */
  readonly message: string;
  /** Says what to do. */
  readonly advice: string;
}

/** What the role may do. The names are quoted for use in statements. */
interface Rights {
  readonly role: string;
  readonly database: string;
  readonly has_public: boolean;
  readonly creates_tables: boolean | null;
  readonly creates_schemas: boolean;
  /** A table that the role does not own, and its owner. */
  readonly table: string | null;
  readonly owner: string | null;
  /** Another schema that has the tables of Roster. */
  readonly other: string | null;
}

/**
 * Checks whether the role may create tables in the schema `public` and owns those that are there;
 * undefined when it does. Roster creates partitions and indexes all the time.
 */
export async function findRightsFault(db: Database): Promise<RightsFault | undefined> {
  const { rows } = await sql<Rights>`
    select quote_ident(current_user) as role, quote_ident(current_database()) as database,
      to_regnamespace('public') is not null as has_public,
      has_schema_privilege(to_regnamespace('public'), 'create') as creates_tables,
      to_regnamespace(${jobSchema}) is not null or has_database_privilege(current_database(), 'create') as creates_schemas,
      theirs.name as table, theirs.owner, other.schema as other
    from (select) one
    left join lateral (
      select c.relname as name, quote_ident(pg_get_userbyid(c.relowner)) as owner from pg_class c
      where c.relnamespace in (to_regnamespace('public'), to_regnamespace(${jobSchema})) and c.relkind in ('r', 'p')
        and not pg_has_role(c.relowner, 'usage')
        and not exists (select 1 from pg_depend d where d.classid = 'pg_class'::regclass and d.objid = c.oid and d.deptype = 'e')
      order by c.relname limit 1) theirs on true
    left join lateral (
      select quote_ident(n.nspname) as schema from pg_class c join pg_namespace n on n.oid = c.relnamespace
      where n.nspname <> 'public' and c.relname in ('kysely_migration', 'request_queue') and c.relkind in ('r', 'p')
      group by n.nspname having count(*) = 2 limit 1) other on to_regclass('public.kysely_migration') is null`.execute(
    db,
  );
  const { role, database, table, owner, other, ...rights } = rows[0]!;
  if (other !== null) {
    return {
      message: `The tables of Roster are in the schema ${other}. They must be in the schema public.`,
      advice: `Stop all processes of Roster, and run on the server: drop schema if exists public; alter schema ${other} rename to public;`,
    };
  }
  if (!rights.has_public) {
    return {
      message: 'The database has no schema public, in which Roster creates its tables.',
      advice: `Run on the server, in this database: create schema public authorization ${role};`,
    };
  }
  if (rights.creates_tables !== true || !rights.creates_schemas) {
    const what = rights.creates_tables === true ? 'schemas in the database' : 'tables in the schema public';
    return {
      message: `The role ${role} may not create ${what}.`,
      advice: `Make it the owner of the database. Run on the server: alter database ${database} owner to ${role};`,
    };
  }
  if (table === null) return undefined;
  return {
    message: `The table ${table} belongs to the role ${owner}. The role ${role} must own all tables.`,
    advice: `Use the role ${owner} in DATABASE_URL, or change the owner of all tables. If you restored them with pg_restore, use --no-owner and the role ${role}.`,
  };
}
