import { createHash } from 'node:crypto';
import { conditionsOf, type CheckedFilter, type Condition, type ResolvedFilter } from '../filter/checked-filter.ts';
import { isRelative } from '../filter/time/relative-dates.ts';

/**
 * What a filter depends on, besides the contacts that exist. Whoever adds a kind of condition adds
 * here what it reads. Live segments follow these inputs (docs/decisions/0046-live-segments.md).
 */
export interface FilterInputs {
  /** Names of the values of contacts that the filter reads ({@link contactInputs}), sorted. */
  readonly contact: readonly string[];
  /** The conditions whose result also changes when time passes. */
  readonly timed: readonly Condition[];
}

/** The names of inputs that are fields of contacts. */
export const contactInputs = {
  type: 'contact_type',
  identity: 'identity',
  email: 'email',
  mobile: 'mobile',
  updatedAt: 'updated_at',
  /** Whether the contact is in any list. */
  anyList: 'any_list',
  optOut: (channel: string) => `${channel}_opted_out`,
  list: (audienceId: number) => `list:${audienceId}`,
  attribute: (key: string) => `${attributePrefix}${key}`,
} as const;

const attributePrefix = 'attribute:';

/** Returns the keys of the attributes among the names of inputs. */
export function attributeKeysOf(inputs: readonly string[]): string[] {
  return inputs.flatMap((name) => (name.startsWith(attributePrefix) ? name.slice(attributePrefix.length) : []));
}

/** Returns what a filter depends on, together with the segments that it names. */
export function filterInputs({ filters, segments }: ResolvedFilter): FilterInputs {
  const conditions = [...filters, ...segments.values()].flatMap(conditionsOf);
  return {
    contact: [...new Set(conditions.flatMap(inputsOf))].toSorted(),
    timed: conditions.filter(isTimed),
  };
}

function inputsOf({ field, operation, values }: Condition): string[] {
  // The filters of segments are among the conditions.
  if (field.type === 'segment') return [];
  // These never change. A new contact is evaluated in any case.
  if (field.name === 'contact_id' || field.name === 'created_at') return [];
  if (field.type === 'identity') return [contactInputs.identity];
  if (field.type === 'list') {
    if (operation === 'is_null' || operation === 'is_not_null') return [contactInputs.anyList];
    return values.map((id) => contactInputs.list(Number(id)));
  }
  return [field.attribute === undefined ? field.name : contactInputs.attribute(field.attribute.key)];
}

const relativeOperations: ReadonlySet<string> = new Set(['in_last', 'not_in_last', 'in_next', 'anniversary_in_next']);

/** True when the result of a condition changes although the contact does not. */
function isTimed({ field, operation, values }: Condition): boolean {
  if (field.type !== 'date' && field.type !== 'datetime') return false;
  return relativeOperations.has(operation) || values.some(isRelative);
}

/**
 * Returns a text that is different whenever a filter means something else: it has other conditions,
 * a segment in it has, or an attribute, the primary key or the time zone changed.
 */
export function filterDefinition({ filters, segments, clock }: ResolvedFilter): string {
  const written = (filter: CheckedFilter) => [
    filter.connective,
    ...filter.groups.map((group) => [
      group.connective,
      ...group.conditions.map(({ field, operation, values }) => [
        field.category,
        field.attribute?.key ?? field.name,
        field.type,
        field.form ?? null,
        operation,
        values,
      ]),
    ]),
  ];
  const nested = [...segments].toSorted(([one], [other]) => one - other);
  const all = [clock.timeZone, filters.map(written), nested.map(([id, filter]) => [id, written(filter)])];
  return createHash('sha256').update(JSON.stringify(all)).digest('base64url');
}
