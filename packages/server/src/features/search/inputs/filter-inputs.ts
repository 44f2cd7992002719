import { createHash } from 'node:crypto';
import { activityKinds, type ActivityKind } from '@roster/contract';
import { kindsOfDerived, maxScore, scoreWeights } from '#features/registry/derived/derived-fields.ts';
import { conditionsOf, type CheckedFilter, type Condition, type ResolvedFilter } from '../filter/checked-filter.ts';
import { isRelative } from '../filter/time/relative-dates.ts';
import { retentionOf, type SummariesKept } from './retention-inputs.ts';

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

/** The names of inputs that are fields, lists, attributes and activities of contacts. */
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
  activity: (kind: ActivityKind) => `${activityPrefix}${kind}`,
  /** Which messages have a name. */
  messageName: (name: string) => `${messageNamePrefix}${name}`,
} as const;

const attributePrefix = 'attribute:';
const activityPrefix = 'activity:';
const messageNamePrefix = 'message_name:';

/** Returns the keys of the attributes among the names of inputs. */
export function attributeKeysOf(inputs: readonly string[]): string[] {
  return inputs.flatMap((name) => (name.startsWith(attributePrefix) ? name.slice(attributePrefix.length) : []));
}

/** Returns the names of inputs that are activities. */
export function activityInputsOf(inputs: readonly string[]): string[] {
  return inputs.filter((name) => name.startsWith(activityPrefix));
}

/** Returns the names of messages among the names of inputs. */
export function messageNamesOf(inputs: readonly string[]): string[] {
  return inputs.flatMap((name) => (name.startsWith(messageNamePrefix) ? name.slice(messageNamePrefix.length) : []));
}

/** Returns what a filter depends on, together with the segments that it names. */
export function filterInputs({ filters, segments }: ResolvedFilter): FilterInputs {
  const conditions = [...filters, ...segments.values()].flatMap(conditionsOf);
  return {
    contact: [...new Set(conditions.flatMap(inputsOf))].toSorted(),
    timed: conditions.filter(isTimed),
  };
}

function inputsOf({ field, operation, values, selection }: Condition): string[] {
  if (selection !== undefined) {
    const { activity: kinds = activityKinds, message_name: names = [] } = selection;
    return [...kinds.map(contactInputs.activity), ...names.map(contactInputs.messageName)];
  }
  if (field.derived !== undefined) return kindsOfDerived(field.derived).map(contactInputs.activity);
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
function isTimed({ field, operation, values, selection }: Condition): boolean {
  if (selection !== undefined) {
    const { when } = selection;
    return when !== undefined && (relativeOperations.has(when.operation) || when.value.some(isRelative));
  }
  // Counts and the score have windows.
  if (field.derived?.type === 'number') return true;
  if (field.type !== 'date' && field.type !== 'datetime') return false;
  return relativeOperations.has(operation) || values.some(isRelative);
}

/**
 * Returns a text that is different whenever a filter means something else: it has other conditions,
 * a segment in it has, or an attribute, the primary key or the time zone changed. Also when
 * activities that it counts may have been deleted by the retention, or when the summaries were
 * computed again. `summaries`: their state, if the filter has conditions on derived attributes.
 */
export function filterDefinition(filter: ResolvedFilter, summaries?: SummariesKept): string {
  const { filters, segments, clock } = filter;
  const written = (one: CheckedFilter) => [
    one.connective,
    ...one.groups.map((group) => [
      group.connective,
      ...group.conditions.map(({ field, operation, values, selection }) => [
        field.category,
        field.attribute?.key ?? field.name,
        field.type,
        field.form ?? null,
        operation,
        values,
        ...(selection === undefined ? [] : [selection]),
        ...(field.derived === undefined ? [] : [field.derived.value]),
        ...(field.derived?.value.kind === 'score' ? [scoreWeights, maxScore] : []),
      ]),
    ]),
  ];
  const nested = [...segments].toSorted(([one], [other]) => one - other);
  const kept = retentionOf(filter, summaries);
  const all = [
    clock.timeZone,
    filters.map(written),
    nested.map(([id, one]) => [id, written(one)]),
    ...(kept.length === 0 ? [] : [kept]),
  ];
  return createHash('sha256').update(JSON.stringify(all)).digest('base64url');
}
