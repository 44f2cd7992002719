/** The limits of a {@link FairGate}. */
export interface GateOptions {
  /** Maximum number of entries in use at the same time. */
  readonly total: number;
  /** Maximum number of entries in use with the same key. */
  readonly perKey: number;
  /** Maximum number of waiting entries with the same key. More are refused at once. */
  readonly waitingPerKey: number;
  /** Milliseconds after which a waiting entry is refused. */
  readonly timeout: number;
}

/** Leaves the gate and frees the slot. A second call does nothing. */
export type Leave = () => void;

/** No slot became free in time. */
export class GateRefusal extends Error {
  override readonly name = 'GateRefusal';
  /** `key`: the key uses all slots that one key may have. `total`: other keys use the slots. */
  readonly by: 'key' | 'total';

  constructor(by: 'key' | 'total') {
    super('no slot became free in time');
    this.by = by;
  }
}

/**
 * Limits how many entries are in use at the same time, and shares the slots fairly between keys. A
 * free slot goes to the waiting key that has the fewest slots.
 *
 * An entry can keep its slot for any time. So one key never gets all slots, even when no other key
 * wants them: otherwise the next key would have to wait.
 */
export interface FairGate<Key> {
  /**
   * Resolves when a slot is free. Rejects with a {@link GateRefusal}, or with the reason of the
   * signal when that is aborted first.
   */
  enter(key: Key, signal?: AbortSignal): Promise<Leave>;
  /** Throws a {@link GateRefusal} if `enter` would refuse this key at once. */
  refuseIfFull(key: Key): void;
  /** Enters if a slot is free now; otherwise returns undefined. */
  tryEnter(key: Key): Leave | undefined;
  /** Number of slots in use. */
  readonly inside: number;
  /** Number of waiting entries. */
  readonly waiting: number;
}

/** The entries of one key. */
interface KeyState {
  inside: number;
  /** For each waiting entry, the function that gives it a slot; in order of arrival. */
  readonly waiting: Set<() => void>;
}

/** Makes a gate. */
export function createFairGate<Key>({ total, perKey, waitingPerKey, timeout }: GateOptions): FairGate<Key> {
  // Contains only keys with entries, in the order in which they last got a slot. So keys with the
  // same number of slots take turns.
  const states = new Map<Key, KeyState>();
  let inside = 0;
  let waiting = 0;

  const stateOf = (key: Key): KeyState => states.get(key) ?? { inside: 0, waiting: new Set() };

  // While a slot is free, only keys that use all their slots have waiting entries. So a new entry
  // never overtakes another key.
  const hasSlot = (state: KeyState): boolean => inside < total && state.inside < perKey && state.waiting.size === 0;

  function letIn(key: Key, state: KeyState): Leave {
    inside++;
    state.inside++;
    states.delete(key);
    states.set(key, state);
    let left = false;
    return () => {
      if (left) return;
      left = true;
      inside--;
      state.inside--;
      forgetEmpty(key, state);
      letNextIn();
    };
  }

  function forgetEmpty(key: Key, state: KeyState): void {
    if (state.inside === 0 && state.waiting.size === 0) states.delete(key);
  }

  function letNextIn(): void {
    let next: KeyState | undefined;
    for (const state of waiting === 0 ? [] : states.values()) {
      if (state.waiting.size > 0 && state.inside < (next?.inside ?? perKey)) next = state;
    }
    const [first] = next?.waiting ?? [];
    first?.();
  }

  function waitForSlot(key: Key, state: KeyState, signal: AbortSignal | undefined): Promise<Leave> {
    const { promise, resolve, reject } = Promise.withResolvers<Leave>();
    const takeSlot = (): void => {
      stopWaiting();
      resolve(letIn(key, state));
    };
    const giveUp = (): void => {
      stopWaiting();
      reject(signal?.aborted === true ? (signal.reason as Error) : refusalOf(state));
    };
    const timer = setTimeout(giveUp, timeout);
    signal?.addEventListener('abort', giveUp);
    function stopWaiting(): void {
      clearTimeout(timer);
      signal?.removeEventListener('abort', giveUp);
      state.waiting.delete(takeSlot);
      waiting--;
      forgetEmpty(key, state);
    }
    states.set(key, state);
    state.waiting.add(takeSlot);
    waiting++;
    return promise;
  }

  const refusalOf = (state: KeyState): GateRefusal => new GateRefusal(state.inside >= perKey ? 'key' : 'total');

  function refuseIfFull(key: Key): void {
    const state = stateOf(key);
    if (!hasSlot(state) && state.waiting.size >= waitingPerKey) throw refusalOf(state);
  }

  return {
    async enter(key, signal) {
      signal?.throwIfAborted();
      const state = stateOf(key);
      if (hasSlot(state)) return letIn(key, state);
      refuseIfFull(key);
      return waitForSlot(key, state, signal);
    },
    refuseIfFull,
    tryEnter(key) {
      const state = stateOf(key);
      return hasSlot(state) ? letIn(key, state) : undefined;
    },
    get inside() {
      return inside;
    },
    get waiting() {
      return waiting;
    },
  };
}
