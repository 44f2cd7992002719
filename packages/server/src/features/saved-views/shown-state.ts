import { activityConditionProperties, upperCaseName } from '@roster/contract';
import { hidden } from '#features/registry/masking.ts';
import { masksFor, type Masks } from '#features/registry/masks.ts';
import { isMaskedName } from '#features/search/filter/fields.ts';
import { filterRightsOf } from '#features/search/rights/filter-rights.ts';
import { findOperation } from '#features/search/filter/operations.ts';
import type { Database } from '#platform/database/connection/database.ts';
import type { Actor } from '#platform/http/authentication/actor.ts';

/** The state of a view. */
type State = Readonly<Record<string, unknown>>;

/**
 * Returns a function that makes the state of a view as a caller sees it. For a caller without the
 * permission `unmasked`, the values of conditions on masked fields are hidden. For a caller without
 * `activity:read`, so are the details of conditions on activities.
 *
 * The console writes a condition as `[field, operation, ...values]`, the contract as an object with
 * `field` and `value`. Both are found at any depth.
 */
export async function stateMasker(db: Database, actor: Actor, accountId: number): Promise<(state: State) => State> {
  const masks = await masksFor(db, actor, accountId);
  const { activities } = filterRightsOf(actor, accountId);
  if (masks === undefined && activities) return (state) => state;
  const isHidden = (name: unknown): boolean =>
    (masks !== undefined && isMasked(name, masks)) || (!activities && isActivity(name));
  return (state) => hideIn(state, isHidden) as State;
}

function hideIn(part: unknown, isHidden: (name: unknown) => boolean): unknown {
  if (Array.isArray(part)) {
    const [field, operation, ...values] = part as unknown[];
    const isCondition = typeof operation === 'string' && findOperation(operation) !== undefined;
    if (isCondition && isHidden(field)) return [field, operation, ...values.map(() => hidden)];
    return part.map((one) => hideIn(one, isHidden));
  }
  if (typeof part !== 'object' || part === null) return part;
  const isCondition = 'field' in part && isHidden(part.field);
  // The other parts of a condition on activities tell as much as its value.
  const details = isCondition && isActivity(part.field) ? Object.keys(activityConditionProperties) : [];
  return Object.fromEntries(
    Object.entries(part).flatMap(([key, value]) => {
      if (details.includes(key.toLowerCase())) return [];
      return [[key, isCondition && key === 'value' ? hideAll(value) : hideIn(value, isHidden)]];
    }),
  );
}

function isActivity(name: unknown): boolean {
  return typeof name === 'string' && name.trim().toLowerCase() === 'activity';
}

function hideAll(value: unknown): unknown {
  return Array.isArray(value) ? value.map(() => hidden) : hidden;
}

function isMasked(name: unknown, { registry, formerMasks }: Masks): boolean {
  return (
    typeof name === 'string' &&
    (isMaskedName(registry, name) || (formerMasks.get(upperCaseName(name.trim())) ?? 'none') !== 'none')
  );
}
