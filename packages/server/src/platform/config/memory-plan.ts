import os from 'node:os';

/** What an API process may use of the memory that there is. */
export interface MemoryPlan {
  /** Most of the heap of the process, in MiB. What does not fit ends the process. */
  readonly heapMiB: number;
  /** Large bodies that are worked on at the same time. */
  readonly largeBodies: number;
  /** Threads that read large bodies. */
  readonly threads: number;
  /** Most of the heap of such a thread, in MiB. What does not fit ends the thread, and its request is refused. */
  readonly threadHeapMiB: number;
}

/** Memory of the machine in MiB, or of the container where that has less. */
export function availableMiB(): number {
  const constrained = process.constrainedMemory();
  const bytes = constrained > 0 ? Math.min(constrained, os.totalmem()) : os.totalmem();
  return Math.floor(bytes / 1024 / 1024);
}

// The worst body that the limits let pass fits into this heap (docs/decisions/0013).
const leastThreadHeapMiB = 192;

/** Divides memory: a quarter for the heap of the API, an eighth for its threads, an eighth for the bytes of large bodies. */
export function planMemory(mebibytes: number, cores: number): MemoryPlan {
  // With one of two threads busy for an account, the other one is there for the next.
  const least = mebibytes < 2048 ? 1 : 2;
  const threads = within(Math.min(cores, Math.floor(mebibytes / 8 / leastThreadHeapMiB)), least, 4);
  return {
    heapMiB: within(Math.floor(mebibytes / 4), 256, 4096),
    // The bytes of one as they arrive, as one piece, and as what is stored: three times 16 MiB.
    largeBodies: within(Math.floor(mebibytes / 8 / 48), 2, 16),
    threads,
    threadHeapMiB: within(Math.floor(mebibytes / 8 / threads), leastThreadHeapMiB, 512),
  };
}

function within(value: number, least: number, most: number): number {
  return Math.max(least, Math.min(most, value));
}
