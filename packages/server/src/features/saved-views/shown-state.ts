import { upperCaseName } from '@roster/contract';
import { hidden } from '#features/registry/masking.ts';
import { masksFor, type Masks } from '#features/registry/masks.ts';
import { isMaskedName } from '#features/search/filter/fields.ts';
import { findOperation } from '#features/search/filter/operations.ts';
import type { Database } from '#platform/database/connection/database.ts';
import type { Actor } from '#platform/http/authentication/actor.ts';

/** The state of a view. */
type State = Readonly<Record<string, unknown>>;

/**
 * Returns a function that makes the state of a view as a caller sees it. For a caller without the
 * permission `unmasked`, the values of conditions on masked fields are hidden.
 *
 * The console writes a condition as `[field, operation, ...values]`, the contract as an object with
 * `field` and `value`. Both are found at any depth.
 */
export async function stateMasker(db: Database, actor: Actor, accountId: number): Promise<(state: State) => State> {
  const masks = await masksFor(db, actor, accountId);
  return masks === undefined ? (state) => state : (state) => hideIn(state, masks) as State;
}

function hideIn(part: unknown, masks: Masks): unknown {
  if (Array.isArray(part)) {
    const [field, operation, ...values] = part as unknown[];
    const isCondition = typeof operation === 'string' && findOperation(operation) !== undefined;
    if (isCondition && isMasked(field, masks)) return [field, operation, ...values.map(() => hidden)];
    return part.map((one) => hideIn(one, masks));
  }
  if (typeof part !== 'object' || part === null) return part;
  const isCondition = 'field' in part && isMasked(part.field, masks);
  return Object.fromEntries(
    Object.entries(part).map(([key, value]) => [
      key,
      isCondition && key === 'value' ? hideAll(value) : hideIn(value, masks),
    ]),
  );
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
