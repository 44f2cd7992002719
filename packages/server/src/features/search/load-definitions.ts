import { maxInteger, type Filter, type PartlyRead } from '@roster/contract';
import { LRUCache } from 'lru-cache';
import type pg from 'pg';
import { registryColumns, registryFrom, type Registry, type RegistryRow } from '#features/registry/registry.ts';
import type { AudienceRow, LoadedAudiences } from './filter/resolve.ts';

declare module '#platform/context.ts' {
  interface Context {
    /** Reads and remembers the definitions of searches. */
    readonly definitions: DefinitionsReader;
  }
}

/** What a search reads of its account before it looks for contacts. */
export interface Definitions {
  readonly registry: Registry;
  /** The audiences that were asked for. */
  readonly loaded: LoadedAudiences;
}

/** Result of {@link DefinitionsReader.read}. */
export interface DefinitionsRead {
  /** What was read the last time. Undefined if this was never read, or is forgotten. */
  readonly remembered: Definitions | undefined;
  /** What the database has now. Undefined if `remembered` is still right. */
  readonly changed: Promise<Definitions | undefined>;
}

/**
 * Reads the definitions of searches, and remembers them. So a search can begin with what is
 * remembered while it finds out whether that is still right.
 */
export interface DefinitionsReader {
  /**
   * Reads the registry of an account, its removed lists, and the audiences with these ids, in one
   * statement. Rejects when the account does not exist.
   */
  read(pool: Pick<pg.Pool, 'query'>, accountId: number, audienceIds: ReadonlySet<number>): DefinitionsRead;
}

// The numbers of members only help to choose how to search. They are rounded up to a power of two,
// because otherwise each batch that changes a list would make what is remembered wrong.
const definitionsSql = `
  select row_to_json(found)::text as text from (
    select ${registryColumns},
      (select coalesce(json_agg(json_build_object('audience_id', audience_id, 'audience_type', audience_type, 'filter', filter,
          'member_count', 2 ^ ceil(log(2, greatest(member_count, 1)))) order by audience_id), '[]')
        from audiences where account_id = $1 and audience_id = any($2::int[])) as audiences,
      array(select target_id from sweeps where account_id = $1 and kind = 'list' order by target_id) as removed_lists
    from accounts where account_id = $1
  ) found`;

/** The content of the text of {@link definitionsSql}. */
interface Found extends RegistryRow {
  readonly audiences: readonly AudienceRow[];
  readonly removed_lists: readonly number[];
}

/** Maximum number of characters of all remembered texts. Their objects take several times as much. */
const rememberedLength = 2_000_000;

/** Makes the reader of a process. */
export function createDefinitionsReader(): DefinitionsReader {
  const memory = new LRUCache<string, { readonly text: string; readonly definitions: Definitions }>({
    maxSize: rememberedLength,
    sizeCalculation: ({ text }, key) => text.length + key.length,
  });
  return {
    read(pool, accountId, audienceIds) {
      const key = [accountId, ...[...audienceIds].sort((a, b) => a - b)].join();
      const last = memory.get(key);
      const readAgain = async (): Promise<Definitions | undefined> => {
        const text = await loadText(pool, accountId, audienceIds);
        if (text === last?.text) return undefined;
        const definitions = parse(text, audienceIds);
        memory.set(key, { text, definitions });
        return definitions;
      };
      return { remembered: last?.definitions, changed: readAgain() };
    },
  };
}

/**
 * PostgreSQL keeps the plan on each connection of the pool, because planning takes longer than
 * reading. There is one plan for all accounts, by their primary keys.
 */
async function loadText(
  pool: Pick<pg.Pool, 'query'>,
  accountId: number,
  audienceIds: ReadonlySet<number>,
): Promise<string> {
  const values = [accountId, [...audienceIds]];
  const query = { name: 'definitions of a search', text: definitionsSql, values };
  const { rows } = await pool.query<{ text: string }>(query);
  if (rows[0] === undefined) throw new Error('the account does not exist');
  return rows[0].text;
}

function parse(text: string, ids: ReadonlySet<number>): Definitions {
  const { audiences, removed_lists: removedLists, ...registry } = JSON.parse(text) as Found;
  return { registry: registryFrom(registry), loaded: { ids, rows: audiences, removedLists } };
}

/**
 * Returns the ids of the lists and segments that a search seems to name. Only the registry shows what
 * the fields of a filter mean, so some can be missing. `named`: the ids of a named audience.
 */
export function mentionedIds(filter: PartlyRead<Filter>, named: readonly unknown[] = []): Set<number> {
  const conditions = (filter.filtering_criteria ?? [])
    .flatMap((group) => group?.condition_details ?? [])
    .filter((condition) => isAudienceField(condition?.field));
  const values = conditions.flatMap((condition) => condition?.value ?? []);
  return new Set([...named, ...values].map(Number).filter(isId));
}

function isAudienceField(name: string | undefined): boolean {
  return name !== undefined && ['list_id', 'segment_id'].includes(name.trim().toLowerCase());
}

function isId(value: number): boolean {
  return Number.isInteger(value) && value >= 1 && value <= maxInteger;
}
