import { readFile } from 'node:fs/promises';
import type { AttackedService } from './attacked-service.ts';

const mebibyte = 1024 * 1024;
const pageBytes = 4096;

/** Resident memory of the processes at one moment, in MiB. */
interface Sample {
  readonly api: number;
  readonly worker: number;
}

/**
 * Watches the resident memory of the API and the worker. On systems other than Linux it takes no
 * samples.
 */
export class MemoryWatch {
  readonly #service: AttackedService;
  readonly #samples: Sample[] = [];
  #pids: { readonly api: number | undefined; readonly worker: number | undefined } | undefined;

  constructor(service: AttackedService) {
    this.#service = service;
  }

  /** Takes a sample, and returns a problem for each process that has died. */
  async sample(): Promise<string[]> {
    if (process.platform !== 'linux') return [];
    this.#pids ??= await this.#service.pids();
    const { api: apiPid, worker: workerPid } = this.#pids;
    const [api, worker] = await Promise.all([residentOf(apiPid), residentOf(workerPid)]);
    if (api > 0 && worker > 0) {
      this.#samples.push({ api, worker });
      return [];
    }
    // The supervisor restarts a dead process. Look up the new process ids next time.
    this.#pids = undefined;
    return [
      ...(api === 0 && apiPid !== undefined ? ['the API process has died'] : []),
      ...(worker === 0 && workerPid !== undefined ? ['the worker process has died'] : []),
    ];
  }

  /** The latest sample, as text. */
  get now(): string {
    const last = this.#samples.at(-1);
    return last === undefined ? 'unknown' : `API ${last.api} MiB, worker ${last.worker} MiB`;
  }

  /** Describes the memory during the run: the median of each quarter, and the maximum. */
  course(): string {
    const parts = (['api', 'worker'] as const).map((role) => {
      const quarters = [0, 1, 2, 3].map((quarter) => this.#median(role, quarter));
      const most = Math.max(0, ...this.#samples.map((sample) => sample[role]));
      return `${role} ${quarters.join(' → ')} MiB, at most ${most}`;
    });
    return parts.join('; ');
  }

  /**
   * Returns a problem for each process that grew from the second to the last quarter by more than a
   * heap usually varies.
   */
  growth(): string[] {
    if (process.platform === 'linux' && this.#samples.length === 0)
      return ['the memory of the service was never measured'];
    if (this.#samples.length < 40) return [];
    return (['api', 'worker'] as const).flatMap((role) => {
      const [early, late] = [this.#median(role, 1), this.#median(role, 3)];
      return late > early * 1.2 + 48 ? [`the memory of the ${role} grew from ${early} to ${late} MiB`] : [];
    });
  }

  #median(role: keyof Sample, quarter: number): number {
    const { length } = this.#samples;
    const part = this.#samples.slice(Math.floor((length * quarter) / 4), Math.ceil((length * (quarter + 1)) / 4));
    const sorted = part.map((sample) => sample[role]).sort((one, other) => one - other);
    return sorted[Math.floor(sorted.length / 2)] ?? 0;
  }
}

async function residentOf(pid: number | undefined): Promise<number> {
  if (pid === undefined) return 0;
  const text = await readFile(`/proc/${pid}/statm`, 'utf8').catch(() => '0 0');
  return Math.round((Number(text.split(' ')[1]) * pageBytes) / mebibyte);
}
