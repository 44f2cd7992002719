import { attributeKey } from '#features/registry/registry.ts';
import {
  isIndexable,
  slotColumns,
  slotKindOf,
  type IndexableType,
  type SlotColumn,
} from '#features/registry/slots/slot.ts';
import type { SlotRow } from '#features/registry/slots/slot-store.ts';
import { minute } from '#platform/time/intervals.ts';
import { definitionsOf, type Definition } from './definitions.ts';
import type { Built, IndexRow } from './index-store.ts';

/** An attribute whose values are to be indexed. */
export interface IndexedAttribute {
  readonly accountId: number;
  readonly attributeId: number;
  readonly dataType: IndexableType;
}

/** The next step towards the indexes that are wanted. */
export type Step =
  /** Stop searches from using a slot, because it is not wanted, or not complete. */
  | { readonly kind: 'withdraw'; readonly row: IndexRow }
  /** Mark a slot as not needed, before it is cleared. */
  | { readonly kind: 'release'; readonly slot: SlotRow }
  /** Drop something that is not wanted, or whose build was interrupted. */
  | { readonly kind: 'drop'; readonly built: Built }
  /** Use a slot again that was released and has not been cleared. */
  | { readonly kind: 'keep'; readonly slot: SlotRow }
  /** Give an attribute a free slot, which a sweep then fills. */
  | { readonly kind: 'assign'; readonly attribute: IndexedAttribute; readonly slot: SlotColumn }
  /** Start the sweep that clears a slot. */
  | { readonly kind: 'clear'; readonly slot: SlotRow }
  /** Let searches use a slot, because it is filled and its indexes exist. */
  | { readonly kind: 'publish'; readonly attribute: IndexedAttribute }
  /** Build a missing definition of a slot. `isLast`: it is the last missing one. */
  | {
      readonly kind: 'build';
      readonly attributes: readonly IndexedAttribute[];
      readonly slot: SlotColumn;
      readonly definition: Definition;
      readonly isLast: boolean;
    };

// Milliseconds until a failed build, for example because of a full disk, is tried again.
const retryAfter = minute;

/**
 * Milliseconds from the release of a slot until it is cleared. A search looks up the slots of its
 * attributes, and reads them a moment later. So it must have begun to read them by then. A search
 * that remembers a slot for longer drops what it has read (remembered-search.ts).
 */
const clearAfter = 10 * minute;

/** What is wanted and what exists, without the attributes whose slots need nothing. */
export interface Situation {
  /** Attributes that searches do not use as they should, and all users of incomplete columns. */
  readonly rows: readonly IndexRow[];
  /** All slots of the accounts of `rows`, and all slots that are not filled. */
  readonly slots: readonly SlotRow[];
  /** The columns that searches of any account use, or will use. */
  readonly columns: readonly SlotColumn[];
  readonly built: readonly Built[];
}

/**
 * Compares what is wanted with what exists. Returns undefined if there is nothing to do now.
 *
 * A slot is withdrawn from searches before anything else happens to it. Invalid indexes are dropped
 * before they are built again. An index is built after the first slot was filled, because building
 * it once costs less than adding every contact to it.
 */
export function nextStep({ rows, slots, columns, built }: Situation, now: Date): Step | undefined {
  const valid = new Set(built.filter((one) => one.valid).map(({ name }) => name));
  const missingOf = (slot: SlotColumn) => definitionsOf(slot).filter(({ name }) => !valid.has(name));
  const ofAttribute = Map.groupBy(slots, (slot) => attributeKey(slot.account_id, slot.attribute_id));
  const states = rows.map((row) => {
    const attribute = attributeOf(row);
    const all = ofAttribute.get(attributeKey(row.account_id, row.attribute_id)) ?? [];
    const own = all.filter(({ data_type: dataType }) => dataType === attribute?.dataType);
    return {
      row,
      attribute,
      slot: own.find(isNeeded),
      released: own.find(({ state }) => state === 'released'),
      unneeded: all.find((slot) => isNeeded(slot) && !own.includes(slot)),
    };
  });
  const isOver = (since: Date, time: number): boolean => now.getTime() - since.getTime() >= time;

  const lost = states.find(
    ({ row, slot }) =>
      row.indexed_as !== null &&
      (slot?.data_type !== row.indexed_as || slot.state !== 'filled' || missingOf(slot.slot).length > 0),
  );
  if (lost !== undefined) return { kind: 'withdraw', row: lost.row };

  const unneeded = states.find((state) => state.unneeded !== undefined)?.unneeded;
  if (unneeded !== undefined) return { kind: 'release', slot: unneeded };

  const wanted = new Set(columns.flatMap((slot) => definitionsOf(slot).map(({ name }) => name)));
  const useless = built.find(({ name, valid: usable }) => !usable || !wanted.has(name));
  if (useless !== undefined) return { kind: 'drop', built: useless };

  for (const { attribute, slot, released } of states) {
    if (attribute === undefined || slot !== undefined) continue;
    if (released !== undefined) return { kind: 'keep', slot: released };
    const free = slotColumns[slotKindOf(attribute.dataType)].find(
      (column) => !slots.some((used) => used.account_id === attribute.accountId && used.slot === column),
    );
    if (free !== undefined) return { kind: 'assign', attribute, slot: free };
  }

  const old = slots.find(({ state, changed_at: at }) => state === 'released' && isOver(at, clearAfter));
  if (old !== undefined) return { kind: 'clear', slot: old };

  const filled = states.flatMap(({ row, attribute, slot }) =>
    attribute === undefined || slot?.state !== 'filled' ? [] : [{ row, attribute, slot: slot.slot }],
  );
  const complete = filled.find(({ slot }) => missingOf(slot).length === 0);
  if (complete !== undefined) return { kind: 'publish', attribute: complete.attribute };

  for (const [slot, users] of Map.groupBy(filled, (one) => one.slot)) {
    // Asking for the index of any of the attributes again starts a new build at once.
    if (!users.some(({ row }) => row.index_failed_at === null || isOver(row.index_failed_at, retryAfter))) continue;
    const [definition, ...others] = missingOf(slot) as [Definition, ...Definition[]];
    const attributes = users.map(({ attribute }) => attribute);
    return { kind: 'build', attributes, slot, definition, isLast: others.length === 0 };
  }
  return undefined;
}

/** True when searches use the slot, or will use it. */
function isNeeded({ state }: SlotRow): boolean {
  return state === 'filling' || state === 'filled';
}

function attributeOf({ account_id, attribute_id, data_type, wanted }: IndexRow): IndexedAttribute | undefined {
  if (!wanted || !isIndexable(data_type)) return undefined;
  return { accountId: account_id, attributeId: attribute_id, dataType: data_type };
}
