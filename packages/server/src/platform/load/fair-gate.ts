/** How many a {@link FairGate} lets in. */
export interface GateOptions {
  /** Most inside at the same time. */
  readonly total: number;
  /** Most inside with the same key. */
  readonly perKey: number;
  /** Most waiting with the same key; further ones are refused at once. */
  readonly waitingPerKey: number;
  /** Milliseconds after which one who waits is refused. */
  readonly patience: number;
}

/** Leaves the gate; more than once is harmless. */
export type Leave = () => void;

/** No place came free in time. */
export class GateRefusal extends Error {
  override readonly name = 'GateRefusal';
  /** `key`: the key has all the places that one key may have. `total`: others have them. */
  readonly by: 'key' | 'total';

  constructor(by: 'key' | 'total') {
    super('no place came free in time');
    this.by = by;
  }
}

/**
 * Lets a limited number in at a time, and shares the places between keys: one that comes free goes to the key that has the fewest.
 *
 * Who is inside stays as long as it takes. So one key does not get all places even while nobody else wants them: the next would have to wait.
 */
export interface FairGate<Key> {
  /** Resolves when there is a place; rejects with a {@link GateRefusal}, or with the reason of the signal when that is aborted before. */
  enter(key: Key, signal?: AbortSignal): Promise<Leave>;
  /** Enters if there is a place at once. */
  tryEnter(key: Key): Leave | undefined;
  /** Number of those inside. */
  readonly inside: number;
  /** Number of those who wait. */
  readonly waiting: number;
}

/** Those of one key. */
interface Party {
  inside: number;
  /** What lets each of those in who wait, in the order of their arrival. */
  readonly waiting: Set<() => void>;
}

/** Makes a gate. */
export function createFairGate<Key>({ total, perKey, waitingPerKey, patience }: GateOptions): FairGate<Key> {
  // Only keys with somebody inside or waiting, in the order in which they last got a place: equals take turns.
  const parties = new Map<Key, Party>();
  let inside = 0;
  let waiting = 0;

  const partyOf = (key: Key): Party => parties.get(key) ?? { inside: 0, waiting: new Set() };

  /** Whoever could go in does so when a place comes free: while there is one, those who wait are of keys that have all theirs. */
  const hasPlace = (party: Party): boolean => inside < total && party.inside < perKey && party.waiting.size === 0;

  function letIn(key: Key, party: Party): Leave {
    inside++;
    party.inside++;
    parties.delete(key);
    parties.set(key, party);
    let left = false;
    return () => {
      if (left) return;
      left = true;
      inside--;
      party.inside--;
      forgetEmpty(key, party);
      letNextIn();
    };
  }

  function forgetEmpty(key: Key, party: Party): void {
    if (party.inside === 0 && party.waiting.size === 0) parties.delete(key);
  }

  function letNextIn(): void {
    let next: Party | undefined;
    for (const party of waiting === 0 ? [] : parties.values()) {
      if (party.waiting.size > 0 && party.inside < (next?.inside ?? perKey)) next = party;
    }
    const [first] = next?.waiting ?? [];
    first?.();
  }

  function waitForPlace(key: Key, party: Party, signal: AbortSignal | undefined): Promise<Leave> {
    const { promise, resolve, reject } = Promise.withResolvers<Leave>();
    const getPlace = (): void => {
      stopWaiting();
      resolve(letIn(key, party));
    };
    const giveUp = (): void => {
      stopWaiting();
      reject(signal?.aborted === true ? (signal.reason as Error) : refusalOf(party));
    };
    const timer = setTimeout(giveUp, patience);
    signal?.addEventListener('abort', giveUp);
    function stopWaiting(): void {
      clearTimeout(timer);
      signal?.removeEventListener('abort', giveUp);
      party.waiting.delete(getPlace);
      waiting--;
      forgetEmpty(key, party);
    }
    parties.set(key, party);
    party.waiting.add(getPlace);
    waiting++;
    return promise;
  }

  const refusalOf = (party: Party): GateRefusal => new GateRefusal(party.inside >= perKey ? 'key' : 'total');

  return {
    async enter(key, signal) {
      signal?.throwIfAborted();
      const party = partyOf(key);
      if (hasPlace(party)) return letIn(key, party);
      if (party.waiting.size >= waitingPerKey) throw refusalOf(party);
      return waitForPlace(key, party, signal);
    },
    tryEnter(key) {
      const party = partyOf(key);
      return hasPlace(party) ? letIn(key, party) : undefined;
    },
    get inside() {
      return inside;
    },
    get waiting() {
      return waiting;
    },
  };
}
