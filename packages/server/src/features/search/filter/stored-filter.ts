import type { Filter } from '@roster/contract';
import { hidden } from '#features/registry/masking.ts';
import type { Registry } from '#features/registry/registry.ts';
import { given } from '#platform/given.ts';
import type { FilterRights } from '../rights/filter-rights.ts';
import {
  conditionsOf,
  type ActivitySelection,
  type CheckedFilter,
  type Condition,
  type Connective,
} from './checked-filter.ts';
import type { ConditionValue } from './field-types.ts';
import { fixedField, type FieldName } from './fields.ts';
import type { OperationName } from './operations.ts';

/**
 * A condition in `audiences.filter`. It has the name of a config, audience or derived field, or the
 * id of an attribute. Values are in stored form. Operations without values have an empty array.
 */
type StoredCondition = {
  readonly operation: OperationName;
  readonly value: readonly ConditionValue[];
} & (
  | ({ readonly field_category: 'activity'; readonly field: 'activity' } & ActivitySelection)
  | { readonly field_category: 'config' | 'audience'; readonly field: FieldName }
  | { readonly field_category: 'derived'; readonly field: string }
  | { readonly field_category: 'attribute'; readonly attribute_id: number }
);

/**
 * The filter of a segment in `audiences.filter`: the JSON of a contact search with all optional
 * keys. It has the ids of attributes, so that a rename of an attribute does not affect segments.
 */
export interface StoredFilter {
  readonly filtering_criteria_operator: Connective;
  readonly filtering_criteria: readonly {
    readonly condition_operator: Connective;
    readonly condition_details: readonly StoredCondition[];
  }[];
}

/** Converts a checked filter to its stored form. */
export function toStoredFilter(filter: CheckedFilter): StoredFilter {
  return {
    filtering_criteria_operator: filter.connective,
    filtering_criteria: filter.groups.map((group) => ({
      condition_operator: group.connective,
      condition_details: group.conditions.map(toStoredCondition),
    })),
  };
}

function toStoredCondition({ field, operation, values, selection }: Condition): StoredCondition {
  if (selection !== undefined) {
    return { field: 'activity', field_category: 'activity', operation, value: values, ...selection };
  }
  return field.attribute === undefined
    ? {
        field: field.name as FieldName,
        field_category: field.category as 'config' | 'audience',
        operation,
        value: values,
      }
    : {
        attribute_id: (field.standsInFor ?? field.attribute).id,
        field_category: 'attribute',
        operation,
        value: values,
      };
}

/**
 * Converts a stored filter to the form of the contract, with the present names of the attributes.
 *
 * A deleted attribute gets its id as its name. No attribute can have such a name, so checking the
 * filter adds a fault, and the condition is not lost.
 */
export function fromStoredFilter(stored: StoredFilter, registry: Registry): Filter {
  return {
    filtering_criteria_operator: stored.filtering_criteria_operator,
    filtering_criteria: stored.filtering_criteria.map((group) => ({
      condition_operator: group.condition_operator,
      condition_details: group.condition_details.map((condition) => ({
        field:
          condition.field_category === 'attribute'
            ? (registry.byId(condition.attribute_id)?.name ?? String(condition.attribute_id))
            : condition.field,
        field_category: condition.field_category,
        operation: condition.operation,
        ...(condition.value.length === 0 ? {} : { value: [...condition.value] }),
        ...(condition.field_category === 'activity' ? selectionView(condition) : {}),
      })),
    })),
  };
}

function selectionView({ activity, channel, message_id, message_name, when }: ActivitySelection) {
  return given({
    activity: activity && [...activity],
    channel: channel && [...channel],
    message_id: message_id && [...message_id],
    message_name: message_name && [...message_name],
    when: when && { operation: when.operation, value: [...when.value] },
  });
}

/**
 * Converts a stored filter like {@link fromStoredFilter}, for a caller who only looks at it. Without
 * the right to see them, the values of conditions on masked fields and on derived attributes, and all
 * parts of conditions on activities, are hidden: together with the contacts that match, they would tell what the caller may
 * not see.
 */
export function shownFilter(stored: StoredFilter, registry: Registry, rights: FilterRights): Filter {
  const shown = stored.filtering_criteria.map((group) => ({
    ...group,
    condition_details: group.condition_details.map((condition) =>
      isHidden(condition, registry, rights) ? hide(condition) : condition,
    ),
  }));
  return fromStoredFilter({ ...stored, filtering_criteria: shown }, registry);
}

/**
 * Returns true if {@link shownFilter} hides a condition from this caller. The caller cannot use such
 * a filter in a request, even if the condition has no values.
 */
export function hasMaskedConditions(stored: StoredFilter, registry: Registry, rights: FilterRights): boolean {
  const conditions = stored.filtering_criteria.flatMap((group) => group.condition_details);
  return conditions.some((condition) => isHidden(condition, registry, rights));
}

function hide(condition: StoredCondition): StoredCondition {
  const value = condition.value.map(() => hidden);
  if (condition.field_category !== 'activity') return { ...condition, value };
  return { field: 'activity', field_category: 'activity', operation: condition.operation, value };
}

function isHidden(condition: StoredCondition, registry: Registry, { unmasked, activities }: FilterRights): boolean {
  if (condition.field_category === 'activity' || condition.field_category === 'derived') return !activities;
  if (unmasked) return false;
  if (condition.field_category !== 'attribute') return fixedField(registry, condition.field).masking !== 'none';
  const stored = registry.byId(condition.attribute_id);
  // Another attribute can be mapped to the stored one. Then the filter reads its values.
  const read = stored === undefined ? undefined : registry.find(stored.name);
  return [stored, read].some((attribute) => attribute !== undefined && attribute.dataMasking !== 'none');
}

/** The ids that a filter uses, in ascending order without duplicates. */
export interface FilterUsage {
  readonly attributeIds: readonly number[];
  readonly listIds: readonly number[];
  /** Segments that the filter names directly, without those inside them. */
  readonly segmentIds: readonly number[];
  /** True: it has a condition on a derived attribute. */
  readonly derived: boolean;
}

/** Returns the attributes and audiences that a stored filter uses. */
export function filterUsage(stored: StoredFilter): FilterUsage {
  const conditions = stored.filtering_criteria.flatMap((group) => group.condition_details);
  const audiences = (field: FieldName) =>
    conditions.flatMap((condition) =>
      condition.field_category === 'audience' && condition.field === field ? condition.value.map(Number) : [],
    );
  return {
    attributeIds: distinct(
      conditions.flatMap((condition) => (condition.field_category === 'attribute' ? condition.attribute_id : [])),
    ),
    listIds: distinct(audiences('list_id')),
    segmentIds: distinct(audiences('segment_id')),
    derived: conditions.some(({ field_category: category }) => category === 'derived'),
  };
}

/** A list or segment that a filter names. */
export interface AudienceMention {
  readonly type: 'list' | 'segment';
  readonly id: number;
  /** The path where the filter first names it. */
  readonly place: string;
}

/**
 * Returns the lists and segments that a checked filter names, without duplicates.
 * Skips values that could not be read (NaN).
 */
export function audiencesOf(filter: CheckedFilter): AudienceMention[] {
  const named = { list: new Set<number>([Number.NaN]), segment: new Set<number>([Number.NaN]) };
  const mentions: AudienceMention[] = [];
  for (const { field, values, place } of conditionsOf(filter)) {
    const { type } = field;
    if (type !== 'list' && type !== 'segment') continue;
    for (const [index, value] of values.entries()) {
      const id = Number(value);
      if (named[type].has(id)) continue;
      named[type].add(id);
      mentions.push({ type, id, place: `${place}[${index}]` });
    }
  }
  return mentions;
}

function distinct(numbers: readonly number[]): number[] {
  return [...new Set(numbers)].sort((a, b) => a - b);
}
