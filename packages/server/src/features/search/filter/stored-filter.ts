import type { Filter } from '@roster/contract';
import type { Registry } from '#features/registry/registry.ts';
import { conditionsOf, type CheckedFilter, type Condition, type Connective } from './checked-filter.ts';
import type { ConditionValue } from './field-types.ts';
import type { FieldName } from './fields.ts';
import type { OperationName } from './operations.ts';

/**
 * A condition as `audiences.filter` keeps it: a field of the service by name, or an attribute by number.
 * The values are in stored form; operations without values have an empty array.
 */
type StoredCondition = {
  readonly operation: OperationName;
  readonly value: readonly ConditionValue[];
} & (
  | { readonly field_category: 'config' | 'audience'; readonly field: FieldName }
  | { readonly field_category: 'attribute'; readonly attribute_id: number }
);

/**
 * The filter of a segment as `audiences.filter` keeps it: the JSON of contact search with nothing left out, and attributes named by
 * number, so that a renamed attribute needs no change of the segments that use it.
 */
export interface StoredFilter {
  readonly filtering_criteria_operator: Connective;
  readonly filtering_criteria: readonly {
    readonly condition_operator: Connective;
    readonly condition_details: readonly StoredCondition[];
  }[];
}

/** The stored form of a checked filter. */
export function toStoredFilter(filter: CheckedFilter): StoredFilter {
  return {
    filtering_criteria_operator: filter.connective,
    filtering_criteria: filter.groups.map((group) => ({
      condition_operator: group.connective,
      condition_details: group.conditions.map(toStoredCondition),
    })),
  };
}

function toStoredCondition({ field, operation, values }: Condition): StoredCondition {
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
 * The filter of a segment with the names that its attributes have now, as the contract shows it.
 *
 * An attribute that does not exist any more keeps its number as its name, which no attribute can have: checking the filter then reports
 * an unknown field, and the condition is not lost.
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
      })),
    })),
  };
}

/** What a filter uses, by number; each once, in ascending order. */
export interface FilterUsage {
  readonly attributeIds: readonly number[];
  readonly listIds: readonly number[];
  /** Segments that it names itself, not those inside them. */
  readonly segmentIds: readonly number[];
}

/** What a stored filter uses: for Usage of attributes and before an audience or an attribute is deleted. */
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
  };
}

/** A list or segment that a filter names. */
export interface AudienceMention {
  readonly type: 'list' | 'segment';
  readonly id: number;
  /** Where it is named first. */
  readonly place: string;
}

/** The lists and segments that a checked filter names, each once; values that could not be read name none. */
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
