import { maxInteger, type Filter, type PartlyRead } from '@roster/contract';
import type pg from 'pg';
import { registryColumns, registryFrom, type Registry, type RegistryRow } from '#features/registry/registry.ts';
import type { AudienceRow, LoadedAudiences } from './filter/resolve.ts';

/** What a search reads of its account before it looks for contacts. */
export interface Definitions {
  readonly registry: Registry;
  readonly audiences: LoadedAudiences;
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
 * Loads the registry of an account, the audiences with these ids, and the lists that were removed, in
 * one statement. Throws when the account does not exist.
 *
 * PostgreSQL keeps the plan on each connection of the pool, because planning takes longer than
 * reading. There is one plan for all accounts, by their primary keys.
 */
export async function loadDefinitions(
  pool: Pick<pg.Pool, 'query'>,
  accountId: number,
  audienceIds: ReadonlySet<number>,
): Promise<Definitions> {
  const values = [accountId, [...audienceIds]];
  const { rows } = await pool.query<DefinitionsRow>({ name: 'definitions of a search', text: definitionsSql, values });
  const registry = registryFrom(rows[0]);
  const { audiences, removed_lists: removedLists } = rows[0]!;
  return { registry, audiences: { ids: audienceIds, rows: audiences, removedLists } };
}

/**
 * Returns the ids of the lists and segments that a search seems to name. Only the registry shows what
 * the fields of a filter mean, so some can be missing. `named`: the ids of a named audience.
 */
export function mentionedIds(filter: PartlyRead<Filter>, named: readonly unknown[] = []): Set<number> {
  const values = (filter.filtering_criteria ?? [])
    .flatMap((group) => group?.condition_details ?? [])
    .filter((condition) => isAudienceField(condition?.field ?? ''))
    .flatMap((condition) => condition?.value ?? []);
  return new Set([...named, ...values].map(Number).filter(isId));
}

function isAudienceField(name: string): boolean {
  return ['list_id', 'segment_id'].includes(name.trim().toLowerCase());
}

function isId(value: number): boolean {
  return Number.isInteger(value) && value >= 1 && value <= maxInteger;
}
