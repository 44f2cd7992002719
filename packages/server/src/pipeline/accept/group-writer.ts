/** Writes what arrives while other writes are under way together, so that one commit serves many. */
export interface GroupWriter<Entry, Result> {
  /** Resolves with what became of the entry once its group is written; rejects when writing the group failed. */
  add(entry: Entry): Promise<Result>;
  /** Resolves when nothing waits and nothing is being written. */
  drain(): Promise<void>;
}

/** How groups are made and written. */
export interface GroupWriterOptions<Entry, Result> {
  /** Groups that are written at the same time. */
  readonly concurrent: number;
  /** Groups with entries of one owner that are written at the same time. With fewer than {@link concurrent}, the other owners always find a free one. */
  readonly perOwner: number;
  /** The account of an entry. Owners take turns in a group. */
  readonly ownerOf: (entry: Entry) => number;
  /** Bytes of an entry. */
  readonly sizeOf: (entry: Entry) => number;
  /** Writes a group; returns what became of its entries, in order. */
  readonly write: (entries: readonly Entry[]) => Promise<readonly Result[]>;
}

const entriesPerGroup = 256;
const bytesPerGroup = 4 * 1024 * 1024;

interface Waiting<Entry, Result> {
  readonly entry: Entry;
  readonly resolve: (result: Result) => void;
  readonly reject: (error: unknown) => void;
}

/** The entries of one owner. */
interface Owner<Entry, Result> {
  /** In the order in which they were added. Those before `next` are in a group already. */
  waiting: Waiting<Entry, Result>[];
  next: number;
  /** Groups under way that have entries of the owner. */
  groups: number;
}

/**
 * Makes a group writer. The entries of an owner are written in the order in which they were added, except that groups overlap.
 *
 * Each group takes one entry of each owner in turn, so that an owner with one entry does not wait behind an owner with thousands.
 */
export function createGroupWriter<Entry, Result>(
  options: GroupWriterOptions<Entry, Result>,
): GroupWriter<Entry, Result> {
  const { concurrent, perOwner, ownerOf, sizeOf, write } = options;
  // Owners with entries that wait or are being written. The owner that was served last is at the end.
  const owners = new Map<number, Owner<Entry, Result>>();
  const underWay = new Set<Promise<void>>();
  let scheduled = false;

  const isEligible = (owner: Owner<Entry, Result>): boolean =>
    owner.next < owner.waiting.length && owner.groups < perOwner;

  function schedule(): void {
    if (scheduled || underWay.size >= concurrent || !owners.values().some(isEligible)) return;
    scheduled = true;
    // After the sockets that are readable now: their requests go into the same write.
    setImmediate(() => {
      scheduled = false;
      const { group, of } = takeGroup();
      const written = writeGroup(group).finally(() => {
        underWay.delete(written);
        for (const id of of) leave(id);
        schedule();
      });
      underWay.add(written);
      schedule();
    });
  }

  async function writeGroup(group: readonly Waiting<Entry, Result>[]): Promise<void> {
    try {
      const results = await write(group.map(({ entry }) => entry));
      for (const [at, { resolve }] of group.entries()) resolve(results[at]!);
    } catch (error) {
      for (const { reject } of group) reject(error);
    }
  }

  /** Takes entries in turn from all owners that may have another group; `of` has these owners. */
  function takeGroup(): { group: Waiting<Entry, Result>[]; of: number[] } {
    const group: Waiting<Entry, Result>[] = [];
    let bytes = 0;
    const isFull = (): boolean => group.length >= entriesPerGroup || bytes >= bytesPerGroup;
    // Those with the fewest groups under way come first, then those that were served longest ago: a large entry can fill a group.
    let turn = [...owners].filter(([, owner]) => isEligible(owner)).sort(([, a], [, b]) => a.groups - b.groups);
    const of = new Set<number>();
    while (turn.length > 0 && !isFull()) {
      for (const [id, owner] of turn) {
        if (isFull()) break;
        const waiting = owner.waiting[owner.next++]!;
        bytes += sizeOf(waiting.entry);
        group.push(waiting);
        of.add(id);
      }
      turn = turn.filter(([, owner]) => owner.next < owner.waiting.length);
    }
    for (const id of of) {
      const owner = owners.get(id)!;
      owner.waiting = owner.waiting.slice(owner.next);
      owner.next = 0;
      owner.groups++;
      owners.delete(id);
      owners.set(id, owner);
    }
    return { group, of: [...of] };
  }

  function leave(id: number): void {
    const owner = owners.get(id)!;
    owner.groups--;
    if (owner.groups === 0 && owner.waiting.length === 0) owners.delete(id);
  }

  return {
    async add(entry) {
      return new Promise<Result>((resolve, reject) => {
        const id = ownerOf(entry);
        let owner = owners.get(id);
        if (owner === undefined) owners.set(id, (owner = { waiting: [], next: 0, groups: 0 }));
        owner.waiting.push({ entry, resolve, reject });
        schedule();
      });
    },
    async drain() {
      while (owners.size > 0) await Promise.allSettled(underWay.size > 0 ? underWay : [nextTurn()]);
    },
  };
}

/** Resolves after the groups that are scheduled have been taken. */
async function nextTurn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}
