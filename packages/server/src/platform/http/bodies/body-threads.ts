import type { BodyLimits, Faults } from '@roster/contract';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { Piscina } from 'piscina';
import type { MemoryPlan } from '#platform/config/memory-plan.ts';
import { createFairGate } from '#platform/load/fair-gate.ts';
import { enterGate } from '#platform/load/enter-gate.ts';
import { ownerOf, type RequestOwner } from '../connection/request-slot.ts';
import { ApiError } from '#platform/errors/api-error.ts';
import type { BodyJob, BodyResult, BodyTask } from './body-task.ts';
import type { ReceivedBody } from './receive-body.ts';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** The limits of the bodies of the route, and the task that a thread does with a large body. */
    body?: { readonly limits: BodyLimits; readonly task?: (request: FastifyRequest) => BodyTask };
  }
  interface FastifyInstance {
    bodyThreads: BodyThreads;
  }
}

/** Options of the threads. `program` is a file that exports a {@link bodyTaskRunner}. */
export interface BodyThreadOptions extends Pick<MemoryPlan, 'threads' | 'threadHeapMiB'> {
  readonly program: string;
}

/** The value of `request.body` when a thread has read the body. */
export class ThreadedBody {
  readonly #result: BodyResult;

  constructor(result: BodyResult) {
    this.#result = result;
  }

  /** Returns the result of the task; adds the faults of the body to `faults`. */
  take(faults: Faults): unknown {
    for (const { code, message, field } of this.#result.faults) faults.add(code, message, field);
    return this.#result.value;
  }
}

/** Reads large bodies in threads, outside the event loop. One account never gets all threads. */
interface BodyThreads extends AsyncDisposable {
  /** Does a task; throws the error of the body. The bytes are moved to the thread. */
  read(request: FastifyRequest, task: BodyTask, body: Buffer, limits: BodyLimits): Promise<ThreadedBody>;
}

// A smaller body is read in one or two milliseconds. Passing it to a thread would take as long.
const small = { bytes: 32 * 1024, values: 1_500 };

/** True for a body that is read without a thread. */
export function isSmallBody({ bytes, values }: ReceivedBody): boolean {
  return bytes.length <= small.bytes && values <= small.values;
}

/** Makes the threads of a process. They start when needed and end when idle. */
function createBodyThreads({ threads, threadHeapMiB, program }: BodyThreadOptions): BodyThreads {
  const pool = new Piscina<BodyJob, BodyResult>({
    filename: program,
    minThreads: 0,
    maxThreads: threads,
    idleTimeout: 60_000,
    // Nobody reads the times. Their histograms take 0.7 MiB.
    recordTiming: false,
    resourceLimits: { maxOldGenerationSizeMb: threadHeapMiB, maxYoungGenerationSizeMb: 32 },
  });
  const perKey = Math.max(1, threads - 1);
  const gate = createFairGate<RequestOwner>({ total: threads, perKey, waitingPerKey: 100, timeout: 15_000 });
  return {
    async read(request, task, bytes, limits) {
      const owner = ownerOf(request);
      const leave = gate.tryEnter(owner) ?? (await enterGate(gate, owner, 'too_many_large_bodies'));
      try {
        return toBody(await pool.run({ task, bytes, limits }, { transferList: [bytes.buffer as ArrayBuffer] }));
      } catch (error) {
        throw toApiError(error, request);
      } finally {
        leave();
      }
    },
    async [Symbol.asyncDispose]() {
      // Waits for the tasks under way.
      await pool.close();
    },
  };
}

function toBody(result: BodyResult): ThreadedBody {
  if (result.error === undefined) return new ThreadedBody(result);
  const { code, params, faults } = result.error;
  throw new ApiError(code, { params, faults });
}

/** Converts the error of a thread that ran out of memory. Only the thread ends, not the process. */
function toApiError(error: unknown, request: FastifyRequest): unknown {
  if (!(error instanceof Error) || !('code' in error) || error.code !== 'ERR_WORKER_OUT_OF_MEMORY') return error;
  request.log.warn({ route: request.routeOptions.url }, 'a body needed more memory than a thread has');
  return new ApiError('body_too_complex', { params: { limit: 'the memory of the service can hold' }, cause: error });
}

/** Adds the threads to the application. They end when the application closes. */
export function useBodyThreads(app: FastifyInstance, options: BodyThreadOptions): void {
  const threads = createBodyThreads(options);
  app.decorate('bodyThreads', threads);
  app.addHook('onClose', () => threads[Symbol.asyncDispose]());
}
