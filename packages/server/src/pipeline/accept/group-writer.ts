/** Groups entries that arrive while other writes are under way: one commit serves many. */
export interface GroupWriter<Entry, Result> {
  /** Resolves with the result of the entry when its group is written; rejects when that fails. */
  add(entry: Entry): Promise<Result>;
  /** Resolves when no entry waits or is being written. */
  drain(): Promise<void>;
}

/** Options of {@link createGroupWriter}. */
export interface GroupWriterOptions<Entry, Result> {
  /** Maximum number of groups that are written at the same time. */
  readonly concurrent: number;
  /**
   * Maximum number of groups under way with entries of one owner. Choose fewer than
   * {@link concurrent}, so that the other owners always find a free group.
   */
  readonly perOwner: number;
  /** Returns the owner of an entry: its account. A group takes entries from all owners in turn. */
  readonly ownerOf: (entry: Entry) => number;
  /** Returns the bytes of an entry. */
  readonly sizeOf: (entry: Entry) => number;
  /** Writes a group; returns the results of its entries, in order. */
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
  /** In order of arrival. The entries before `next` are already in a group. */
  waiting: Waiting<Entry, Result>[];
  next: number;
  /** Number of groups under way that have entries of the owner. */
  groups: number;
}

/**
 * Makes a group writer. It writes the entries of an owner in order of arrival, but groups overlap.
 *
 * Each group takes one entry of each owner in turn. So an owner with one entry does not wait for
 * an owner with thousands.
 */
export function createGroupWriter<Entry, Result>(
  options: GroupWriterOptions<Entry, Result>,
): GroupWriter<Entry, Result> {
  const { concurrent, perOwner, ownerOf, sizeOf, write } = options;
  // Contains only owners with entries that wait or are being written, in the order of service.
  const owners = new Map<number, Owner<Entry, Result>>();
  const underWay = new Set<Promise<void>>();
  let scheduled = false;

  const isEligible = (owner: Owner<Entry, Result>): boolean =>
    owner.next < owner.waiting.length && owner.groups < perOwner;

  function scheduleGroup(): void {
    if (scheduled || underWay.size >= concurrent || !owners.values().some(isEligible)) return;
    scheduled = true;
    // Node handles all readable sockets first, so their requests go into the same write.
    setImmediate(() => {
      scheduled = false;
      const { group, groupOwners } = takeGroup();
      const written = writeGroup(group).finally(() => {
        underWay.delete(written);
        for (const id of groupOwners) endGroup(id);
        scheduleGroup();
      });
      underWay.add(written);
      scheduleGroup();
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

  /** Takes entries in turn from all owners that may have another group. */
  function takeGroup(): { group: Waiting<Entry, Result>[]; groupOwners: ReadonlySet<number> } {
    const group: Waiting<Entry, Result>[] = [];
    let bytes = 0;
    const isFull = (): boolean => group.length >= entriesPerGroup || bytes >= bytesPerGroup;
    // A large entry can fill a group. So owners with the fewest groups under way come first, then
    // owners that were served longest ago.
    let remaining = [...owners].filter(([, owner]) => isEligible(owner)).sort(([, a], [, b]) => a.groups - b.groups);
    const groupOwners = new Set<number>();
    while (remaining.length > 0 && !isFull()) {
      for (const [id, owner] of remaining) {
        if (isFull()) break;
        const waiting = owner.waiting[owner.next++]!;
        bytes += sizeOf(waiting.entry);
        group.push(waiting);
        groupOwners.add(id);
      }
      remaining = remaining.filter(([, owner]) => owner.next < owner.waiting.length);
    }
    for (const id of groupOwners) {
      const owner = owners.get(id)!;
      owner.waiting = owner.waiting.slice(owner.next);
      owner.next = 0;
      owner.groups++;
      owners.delete(id);
      owners.set(id, owner);
    }
    return { group, groupOwners };
  }

  function endGroup(id: number): void {
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
        scheduleGroup();
      });
    },
    async drain() {
      while (owners.size > 0) await Promise.allSettled(underWay.size > 0 ? underWay : [scheduledGroup()]);
    },
  };
}

/** Resolves after the scheduled group has been taken. */
async function scheduledGroup(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}
