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
   * Reads the registry of an account and the audiences with these ids, in one statement. Rejects
   * when the account does not exist.
   */
  read(pool: Pick<pg.Pool, 'query'>, accountId: number, audienceIds: ReadonlySet<number>): DefinitionsRead;
}

// When an attribute changes and changes back, what is stored for its contacts can change meanwhile:
// values of another data type, or a slot that is not filled. A search that read it in between must
// not take the definitions for unchanged. So they have the version of each row (xmin), which does
// not come back. The same holds for summaries of activities, which are requested again.
//
// The numbers of members only help to choose how to search. They are rounded up to a power of two,
// because otherwise each batch that changes a list would make what is remembered wrong.
const definitionsSql = `
  select row_to_json(found)::text as registry,
    (select coalesce(json_agg(json_build_object('audience_id', audience_id, 'audience_type', audience_type, 'filter', filter,
        'member_count', 2 ^ ceil(log(2, greatest(member_count, 1)))) order by audience_id), '[]')::text
      from audiences where account_id = $1 and audience_id = any($2::int[])) as audiences
  from (
    select ${registryColumns},
      (select string_agg(xmin::text, ',' order by attribute_id) from attributes where account_id = $1) as attribute_versions,
      (select requested_at from activity_summary_states where account_id = $1) as summaries_requested_at
    from accounts where account_id = $1
  ) found`;

/** Definitions as JSON texts. */
interface DefinitionsRow {
  readonly registry: string;
  readonly audiences: string;
}

/** Maximum number of characters of all remembered texts of a kind. Objects take several times as much. */
const rememberedLength = 2_000_000;
/** Maximum number of characters of a remembered text. A longer one is read before each search. */
const longestRemembered = 200_000;

/** A value with the text from which it was made. */
interface Remembered<Value> {
  readonly text: string;
  readonly value: Value;
}

const memory = {
  maxSize: rememberedLength,
  maxEntrySize: longestRemembered,
  sizeCalculation: ({ text }: Remembered<unknown>, key: string) => text.length + key.length,
};

/** Makes the reader of a process. */
export function createDefinitionsReader(): DefinitionsReader {
  const registries = new LRUCache<string, Remembered<Registry>>(memory);
  const audiences = new LRUCache<string, Remembered<LoadedAudiences>>(memory);
  return {
    read(pool, accountId, audienceIds) {
      const account = String(accountId);
      const key = [accountId, ...[...audienceIds].sort((a, b) => a - b)].join();
      const registry = registries.get(account);
      const loaded = audiences.get(key);
      const readAgain = async (): Promise<Definitions | undefined> => {
        const row = await loadRow(pool, accountId, audienceIds);
        if (row.registry === registry?.text && row.audiences === loaded?.text) return undefined;
        const found = {
          registry: registryFrom(JSON.parse(row.registry) as RegistryRow),
          loaded: { ids: audienceIds, rows: JSON.parse(row.audiences) as AudienceRow[] },
        };
        registries.set(account, { text: row.registry, value: found.registry });
        audiences.set(key, { text: row.audiences, value: found.loaded });
        return found;
      };
      const isRemembered = registry !== undefined && loaded !== undefined;
      return {
        remembered: isRemembered ? { registry: registry.value, loaded: loaded.value } : undefined,
        changed: readAgain(),
      };
    },
  };
}

/**
 * PostgreSQL keeps the plan on each connection of the pool, because planning takes longer than
 * reading. There is one plan for all accounts, by their primary keys.
 */
async function loadRow(
  pool: Pick<pg.Pool, 'query'>,
  accountId: number,
  audienceIds: ReadonlySet<number>,
): Promise<DefinitionsRow> {
  const values = [accountId, [...audienceIds]];
  const query = { name: 'definitions of a search', text: definitionsSql, values };
  const { rows } = await pool.query<DefinitionsRow>(query);
  if (rows[0] === undefined) throw new Error('the account does not exist');
  return rows[0];
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
