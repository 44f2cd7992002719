import { maxInteger, type Filter, type PartlyRead, type SearchContactsBody } from '@roster/contract';
import type pg from 'pg';
import {
  registryColumns,
  registryFrom,
  registrySql,
  type Registry,
  type RegistryRow,
} from '#features/registry/registry.ts';
import type { AudienceRow, LoadedAudiences } from './filter/resolve.ts';

/** What a search reads of its account before it looks for contacts. */
export interface Definitions {
  readonly registry: Registry;
  /** Absent if no audiences were asked for. */
  readonly loaded?: LoadedAudiences;
}

interface DefinitionsRow extends RegistryRow {
  readonly audiences: readonly AudienceRow[];
  readonly removed_lists: readonly number[];
}

const definitionsSql = `
  select ${registryColumns},
    (select coalesce(json_agg(json_build_object('audience_id', audience_id, 'audience_type', audience_type,
        'filter', filter, 'member_count', member_count)), '[]')
      from audiences where account_id = $1 and audience_id = any($2::int[])) as audiences,
    array(select target_id from sweeps where account_id = $1 and kind = 'list') as removed_lists
  from accounts where account_id = $1`;

/**
 * Loads the registry of an account. With `audienceIds`, also the audiences with these ids, and the
 * lists that were removed, in the same statement. Throws when the account does not exist.
 *
 * PostgreSQL keeps the plan on each connection of the pool, because planning takes longer than
 * reading. There is one plan for all accounts, by their primary keys.
 */
export async function loadDefinitions(
  pool: Pick<pg.Pool, 'query'>,
  accountId: number,
  audienceIds: ReadonlySet<number> | undefined,
): Promise<Definitions> {
  if (audienceIds === undefined) {
    const { rows } = await pool.query<RegistryRow>({ name: 'registry', text: registrySql, values: [accountId] });
    return { registry: registryFrom(rows[0]) };
  }
  const values = [accountId, [...audienceIds]];
  const { rows } = await pool.query<DefinitionsRow>({ name: 'definitions of a search', text: definitionsSql, values });
  const registry = registryFrom(rows[0]);
  const { audiences, removed_lists: removedLists } = rows[0]!;
  return { registry, loaded: { ids: audienceIds, rows: audiences, removedLists } };
}

/**
 * Returns the ids of the lists and segments that a search seems to name. Only the registry shows what
 * the fields of a filter mean, so some can be missing. `named`: the ids of a named audience.
 *
 * Returns undefined if the search has nothing to do with audiences, so that it needs no lists.
 */
export function mentionedIds(
  { output, ...filter }: PartlyRead<Filter & Pick<SearchContactsBody, 'output'>>,
  named?: readonly unknown[],
): Set<number> | undefined {
  const conditions = (filter.filtering_criteria ?? [])
    .flatMap((group) => group?.condition_details ?? [])
    .filter((condition) => isAudienceField(condition?.field));
  const isShown = output?.fields?.some(isAudienceField) === true;
  if (named === undefined && conditions.length === 0 && !isShown) return undefined;
  const values = conditions.flatMap((condition) => condition?.value ?? []);
  return new Set([...(named ?? []), ...values].map(Number).filter(isId));
}

function isAudienceField(name: string | undefined): boolean {
  return name !== undefined && ['list_id', 'segment_id'].includes(name.trim().toLowerCase());
}

function isId(value: number): boolean {
  return Number.isInteger(value) && value >= 1 && value <= maxInteger;
}
