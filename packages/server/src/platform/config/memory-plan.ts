import os from 'node:os';

const mebibyte = 1024 * 1024;

/** How an API process uses the available memory. */
export interface MemoryPlan {
  /** Maximum heap of the process, in MiB. The process ends if it needs more. */
  readonly heapMiB: number;
  /** Maximum number of large bodies that are handled at the same time. */
  readonly largeBodies: number;
  /** Number of threads that read large bodies. */
  readonly threads: number;
  /** Maximum heap of a thread, in MiB. If it needs more, it ends and its request is refused. */
  readonly threadHeapMiB: number;
}

/**
 * Bytes that one large body takes: three times 16 MiB, as it arrives, as one buffer, and as it is
 * stored. Answers that clients have not received yet may have as much together as all large bodies.
 */
export const memoryOfLargeBody = 48 * mebibyte;

/** Returns the memory of the machine in MiB, or of the container if that is less. */
export function availableMiB(): number {
  const constrained = process.constrainedMemory();
  const bytes = constrained > 0 ? Math.min(constrained, os.totalmem()) : os.totalmem();
  return Math.floor(bytes / mebibyte);
}

// The worst body that the limits allow fits in this heap (docs/decisions/0013).
const minThreadHeapMiB = 192;

/**
 * Divides the memory: a quarter for the heap of the API, an eighth for its threads, an eighth for the
 * bytes of large bodies, and as much for answers that clients have not received yet.
 */
export function planMemory(mebibytes: number, cores: number): MemoryPlan {
  // One account may use all threads except one. So there are two threads if the memory allows it.
  const minThreads = mebibytes < 2048 ? 1 : 2;
  const threads = clamp(Math.min(cores, Math.floor(mebibytes / 8 / minThreadHeapMiB)), minThreads, 4);
  return {
    heapMiB: clamp(Math.floor(mebibytes / 4), 256, 4096),
    largeBodies: clamp(Math.floor((mebibytes * mebibyte) / 8 / memoryOfLargeBody), 2, 16),
    threads,
    threadHeapMiB: clamp(Math.floor(mebibytes / 8 / threads), minThreadHeapMiB, 512),
  };
}

/** Arguments of Node for the processes of the service. */
export interface ProcessFlags {
  readonly api: readonly string[];
  readonly worker: readonly string[];
}

/** MiB of memory from which the processes use more memory to be faster. */
const fastMiB = 4096;

/**
 * Sets how the processes collect garbage.
 *
 * The objects of a request are garbage as soon as the request is stored. From 4 GiB of memory on,
 * the young generation is so large that these objects never reach the old generation. With less
 * memory, it is small, and the old generation is collected more often. A process then needs half
 * the memory, and a seventh more time (docs/decisions/0031-memory.md).
 */
export function processFlags(mebibytes: number, { heapMiB }: MemoryPlan): ProcessFlags {
  const heap = `--max-old-space-size=${heapMiB}`;
  if (mebibytes >= fastMiB) {
    return { api: ['--max-semi-space-size=32', heap], worker: ['--max-semi-space-size=64'] };
  }
  return {
    api: ['--max-semi-space-size=8', '--heap-growing-percent=60', heap],
    worker: ['--max-semi-space-size=16', '--heap-growing-percent=100'],
  };
}

function clamp(value: number, min: number, max: number): number {
  return Math.max(min, Math.min(max, value));
}
