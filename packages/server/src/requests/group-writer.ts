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
  /** Bytes of an entry. */
  readonly sizeOf: (entry: Entry) => number;
  /** Writes a group; answers what became of its entries, in order. */
  readonly write: (entries: readonly Entry[]) => Promise<readonly Result[]>;
}

const entriesPerGroup = 256;
const bytesPerGroup = 4 * 1024 * 1024;

interface Waiting<Entry, Result> {
  readonly entry: Entry;
  readonly resolve: (result: Result) => void;
  readonly reject: (error: unknown) => void;
}

/** Makes a group writer; entries are written in the order in which they were added, as far as groups do not overlap. */
export function createGroupWriter<Entry, Result>(
  options: GroupWriterOptions<Entry, Result>,
): GroupWriter<Entry, Result> {
  const { concurrent, sizeOf, write } = options;
  const waiting: Waiting<Entry, Result>[] = [];
  const underWay = new Set<Promise<void>>();
  let scheduled = false;

  function schedule(): void {
    if (scheduled || waiting.length === 0 || underWay.size >= concurrent) return;
    scheduled = true;
    // After the sockets that are readable now: their requests go into the same write.
    setImmediate(() => {
      scheduled = false;
      const written = writeNext().finally(() => {
        underWay.delete(written);
        schedule();
      });
      underWay.add(written);
      schedule();
    });
  }

  async function writeNext(): Promise<void> {
    const group = takeGroup();
    try {
      const results = await write(group.map(({ entry }) => entry));
      for (const [at, { resolve }] of group.entries()) resolve(results[at]!);
    } catch (error) {
      for (const { reject } of group) reject(error);
    }
  }

  function takeGroup(): Waiting<Entry, Result>[] {
    let bytes = 0;
    let count = 0;
    while (count < waiting.length && count < entriesPerGroup && (count === 0 || bytes < bytesPerGroup)) {
      bytes += sizeOf(waiting[count++]!.entry);
    }
    return waiting.splice(0, count);
  }

  return {
    async add(entry) {
      return new Promise<Result>((resolve, reject) => {
        waiting.push({ entry, resolve, reject });
        schedule();
      });
    },
    async drain() {
      while (waiting.length > 0 || underWay.size > 0) await Promise.allSettled(underWay);
    },
  };
}
