import type { Identifier } from '#features/contacts/model/identifiers.ts';
import { definitionOf } from '#pipeline/operations/operation.ts';
import type { PipelineOperation } from '#pipeline/operations/payload.ts';
import type { PayloadItem, PeopleInPayload } from '#pipeline/operations/people-in-payload.ts';
import type { Feature } from '#platform/feature.ts';

/** An item of a stored request, with the identifiers in it. */
export type PersonItem = PayloadItem<Identifier>;

/** Returns the names of the operations whose requests can name people. */
export function operationsOnPeople(features: readonly Feature[]): string[] {
  return features.flatMap(({ operations = {} }) =>
    Object.entries(operations).flatMap(([name, definition]) => (definition.people === undefined ? [] : name)),
  );
}

/** Returns the items of a stored request, without erased items. */
export function itemsOfPayload(
  features: readonly Feature[],
  operation: PipelineOperation,
  payload: object,
  primaryKey: string,
): PersonItem[] {
  return (peopleIn(features, operation)?.items(payload, primaryKey) ?? []) as PersonItem[];
}

/** Returns a payload with some items emptied. Use it only for requests that were applied. */
export function withoutItems(
  features: readonly Feature[],
  operation: PipelineOperation,
  payload: object,
  indexes: ReadonlySet<number>,
): object {
  return peopleIn(features, operation)?.without(payload, indexes) ?? payload;
}

function peopleIn(features: readonly Feature[], operation: PipelineOperation): PeopleInPayload<object> | undefined {
  return definitionOf(features, operation).people as PeopleInPayload<object> | undefined;
}
