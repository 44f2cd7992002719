import type { ActivityRecord } from '@roster/contract';
import { activityInputsOf, contactInputs, messageNamesOf } from '#features/search/inputs/filter-inputs.ts';

/** Contact keys whose activities changed in the same kinds. */
export interface ChangedKeys {
  readonly inputs: readonly string[];
  readonly keys: readonly string[];
}

/** What a batch does to activities, as far as live segments need it. */
interface BatchChanges {
  readonly recorded: readonly {
    readonly key: string;
    readonly record: Readonly<Pick<ActivityRecord, 'activity' | 'message_id' | 'msg_name'>>;
  }[];
  /** From an old key to a new one, or to null for a deleted contact. */
  readonly moves: ReadonlyMap<string, string | null>;
}

/**
 * Returns the contact keys whose activities a batch changes, by the kind of the activities: those
 * that it records, and those of keys to which it moves the activities of another key. `wanted`: the
 * names of what the live segments of the account depend on.
 *
 * Repeated records are among them. Which are repeated is known only when they are stored.
 */
export function changedActivities({ recorded, moves }: BatchChanges, wanted: readonly string[]): ChangedKeys[] {
  const inputs = activityInputsOf(wanted);
  if (inputs.length === 0) return [];
  const byInput = new Map(inputs.map((input) => [input, new Set<string>()]));
  for (const { key, record } of recorded) byInput.get(contactInputs.activity(record.activity))?.add(key);
  const targets = new Set([...moves.values()].filter((key) => key !== null));
  const groups = [...byInput].map(([input, keys]) => ({ inputs: [input], keys: [...keys] }));
  return [...groups, { inputs, keys: [...targets] }].filter(({ keys }) => keys.length > 0);
}

/** The names that a batch gives to messages, as far as live segments can depend on them. */
export interface NamedMessages {
  readonly wanted: readonly string[];
  readonly messageIds: readonly number[];
  readonly names: readonly string[];
}

/**
 * Returns the names of messages in the records of a batch; undefined if no live segment asks for
 * messages by name, or if the records name none.
 */
export function namedMessages({ recorded }: BatchChanges, wanted: readonly string[]): NamedMessages | undefined {
  const wantedNames = messageNamesOf(wanted);
  if (wantedNames.length === 0) return undefined;
  const pairs = new Map<string, readonly [number, string]>();
  for (const { record } of recorded) {
    const { message_id: id, msg_name: name } = record;
    if (id !== undefined && name !== undefined) pairs.set(`${id}/${name}`, [id, name]);
  }
  if (pairs.size === 0) return undefined;
  const all = [...pairs.values()];
  return { wanted: wantedNames, messageIds: all.map(([id]) => id), names: all.map(([, name]) => name) };
}
