import { isOperation, takesLength, type OperationName } from './field-types.ts';
import type { ConditionValue } from './filter.ts';

/** What can happen to a message, in the order of the builder. */
export const activityKinds = ['open', 'click', 'sent', 'delivered', 'bounce', 'unsubscribe', 'spam'] as const;

/** The channels of messages. */
export const activityChannels = ['email', 'sms', 'whatsapp', 'app_push', 'web_push'] as const;

/** The operations that say when an activity happened, in the order of the builder. */
export const whenOperations = [
  'in_last',
  'not_in_last',
  'equals',
  'less_than',
  'less_than_or_equal',
  'greater_than',
  'greater_than_or_equal',
  'between',
] as const satisfies readonly OperationName[];

export type ActivityKind = (typeof activityKinds)[number];
export type ActivityChannel = (typeof activityChannels)[number];
export type WhenOperation = (typeof whenOperations)[number];

/** When activities happened. It can be incomplete. */
export interface When {
  readonly operation: WhenOperation;
  readonly values: readonly ConditionValue[];
}

/** Which activities a condition counts. Absent parts mean any. */
export interface ActivitySelection {
  readonly activity?: readonly ActivityKind[];
  readonly channel?: readonly ActivityChannel[];
  readonly message_id?: readonly number[];
  readonly message_name?: readonly string[];
  readonly when?: When;
}

/** The parts of a condition on activities, as the API takes them. */
interface ActivityParts extends Omit<ActivitySelection, 'when'> {
  readonly when?: { readonly operation: string; readonly value?: readonly ConditionValue[] };
}

/** What a new condition on activities counts. */
export const usualSelection: ActivitySelection = {
  activity: ['open'],
  when: { operation: 'in_last', values: ['30 days'] },
};

/** Returns the parts of a condition as the API takes them. */
export function toParts({ when, ...rest }: ActivitySelection): ActivityParts {
  return { ...rest, ...(when && { when: { operation: when.operation, value: when.values } }) };
}

/**
 * Reads the parts of a condition of the API, or of an address. Returns undefined if any part is
 * unknown or damaged: to ignore it would match more contacts.
 */
export function fromParts(given: object): ActivitySelection | undefined {
  const { activity, channel, message_id: ids, message_name: names, when, ...others } = given as ActivityParts;
  if (Object.keys(others).length > 0) return undefined;
  const time = when === undefined ? undefined : readWhen(when);
  const isRead =
    isListOf(activity, (one) => activityKinds.includes(one as ActivityKind)) &&
    isListOf(channel, (one) => activityChannels.includes(one as ActivityChannel)) &&
    isListOf(ids, (one) => Number.isSafeInteger(one) && Number(one) >= 0) &&
    isListOf(names, (one) => typeof one === 'string' && one !== '') &&
    (when === undefined || time !== undefined);
  if (!isRead) return undefined;
  return {
    ...(activity && { activity }),
    ...(channel && { channel }),
    ...(ids && { message_id: ids }),
    ...(names && { message_name: names }),
    ...(time && { when: time }),
  };
}

function readWhen(given: unknown): When | undefined {
  if (typeof given !== 'object' || given === null) return undefined;
  const { operation, value, ...others } = given as Record<string, unknown>;
  const isKnown = isOperation(operation) && (whenOperations as readonly OperationName[]).includes(operation);
  if (!isKnown || Object.keys(others).length > 0) return undefined;
  const values: unknown = Array.isArray(value) ? value : [value];
  if (!isListOf(values, (one) => typeof one === 'string' || typeof one === 'number')) return undefined;
  return { operation: operation as WhenOperation, values: values as ConditionValue[] };
}

function isListOf(given: unknown, test: (one: unknown) => boolean): boolean {
  return given === undefined || (Array.isArray(given) && given.length > 0 && given.every((one) => test(one)));
}

/** Tells whether a condition on activities says when they happened, if it says it at all. */
export function isCompleteWhen({ when }: ActivitySelection): boolean {
  if (when === undefined) return true;
  const { operation, values } = when;
  const isFilled = values.every((value) => String(value).trim() !== '');
  if (operation === 'equals') return isFilled && values.length > 0;
  return isFilled && values.length === (operation === 'between' && !takesLength(operation) ? 2 : 1);
}

/** Tells whether a value says how often: a whole number, from 1 for `at_least`. */
export function isTimes(operation: OperationName, value: ConditionValue | undefined): boolean {
  const least = operation === 'at_least' ? 1 : 0;
  return typeof value === 'number' && Number.isInteger(value) && value >= least && value <= 1_000_000;
}
