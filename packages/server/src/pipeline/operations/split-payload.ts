import { lanesPerAccount, laneOfKey } from './buckets.ts';

/** The items of a payload that one lane applies. */
export interface PayloadPart {
  readonly lane: number;
  /** The payload with only the items of the part. */
  readonly payload: object;
  /** The indexes of the items in the whole request, ascending. */
  readonly indexes: readonly number[];
  /** The property of the payload that has the items. */
  readonly property: string;
}

/**
 * Splits a payload into parts that different lanes can apply. Returns the lane if one can apply all
 * items; undefined if the request needs all lanes.
 */
export type Split = (payload: object) => readonly PayloadPart[] | number | undefined;

/** How the requests of an operation are split. */
export interface SplitItems<Payload> {
  /** The property of the payload that has the items. */
  readonly property: keyof Payload & string;
  /**
   * Returns a function that returns the contact keys that an item names, until it is called again.
   * It returns undefined for an item that may name contacts in another way: by contact_id, e-mail or
   * mobile.
   */
  readonly keysOf: (payload: Payload, primaryKey: string) => (item: number) => Iterable<string> | undefined;
}

/**
 * Makes the function that splits payloads by the contact keys of their items.
 *
 * All items that name a contact are in the same part, in their order. An item that names contacts
 * of two lanes, or does not name them by their keys, makes the whole request need all lanes.
 */
export function splitByKeys<Payload extends object>(
  { property, keysOf }: SplitItems<Payload>,
  primaryKey: string,
): (payload: Payload) => readonly PayloadPart[] | number | undefined {
  return (payload) => {
    const items = payload[property] as readonly unknown[];
    const keysOfItem = keysOf(payload, primaryKey);
    const indexes = new Map<number, number[]>();
    // Items without a key, such as new anonymous contacts, can be in any lane. All of them are in
    // one, so that their request has few parts.
    const anyLane = 1 + Math.floor(Math.random() * lanesPerAccount);
    for (let item = 0; item < items.length; item++) {
      const keys = keysOfItem(item);
      if (keys === undefined) return undefined;
      let lane: number | undefined;
      for (const key of keys) {
        const own = laneOfKey(key);
        if (lane !== undefined && own !== lane) return undefined;
        lane = own;
      }
      lane ??= anyLane;
      const others = indexes.get(lane);
      if (others === undefined) indexes.set(lane, [item]);
      else others.push(item);
    }
    const [first] = indexes.keys();
    if (indexes.size <= 1) return first;
    return Array.from(indexes, ([lane, own]) => ({
      lane,
      property,
      indexes: own,
      payload: { ...payload, [property]: own.map((index) => items[index]) },
    }));
  };
}
