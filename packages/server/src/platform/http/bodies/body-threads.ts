import type { BodyLimits, Faults } from '@roster/contract';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { Piscina } from 'piscina';
import type { MemoryPlan } from '#platform/config/memory-plan.ts';
import { createFairGate } from '#platform/load/fair-gate.ts';
import { waitForTurn } from '#platform/load/wait-for-turn.ts';
import { ApiError } from '#platform/errors/api-error.ts';
import type { BodyJob, BodyResult, BodyTask } from './body-task.ts';
import type { ReceivedBody } from './receive-body.ts';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** How large a body of the route may be, and what is done with one that is too large to be read at once. */
    body?: { readonly limits: BodyLimits; readonly task?: (request: FastifyRequest) => BodyTask };
  }
  interface FastifyInstance {
    bodyThreads: BodyThreads;
  }
}

/** How many threads there are, the heap of each in MiB, and the file of their program: it exports a {@link bodyTaskRunner}. */
export interface BodyThreadOptions extends Pick<MemoryPlan, 'threads' | 'threadHeapMiB'> {
  readonly program: string;
}

/** What `request.body` is when a thread has read it. */
export class ThreadedBody {
  readonly #result: BodyResult;

  constructor(result: BodyResult) {
    this.#result = result;
  }

  /** What the task made of the body; adds what is wrong with it to `faults`. */
  take(faults: Faults): unknown {
    for (const { code, message, field } of this.#result.faults) faults.add(code, message, field);
    return this.#result.value;
  }
}

/** Reads large bodies in threads, so that the event loop goes on meanwhile. Accounts take turns; an account does not get all threads. */
interface BodyThreads extends AsyncDisposable {
  /** Does a task; throws what is wrong with the body. The bytes belong to the thread from then on. */
  read(request: FastifyRequest, task: BodyTask, body: Buffer, limits: BodyLimits): Promise<ThreadedBody>;
}

// A body below both is read in a millisecond or two. Handing it over would take as long.
const small = { bytes: 32 * 1024, values: 1_500 };

/** True for a body that is read at once. */
export function isSmallBody({ bytes, values }: ReceivedBody): boolean {
  return bytes.length <= small.bytes && values <= small.values;
}

/** Makes the threads of a process. They start when they are needed, and end when they are not. */
function createBodyThreads({ threads, threadHeapMiB, program }: BodyThreadOptions): BodyThreads {
  const pool = new Piscina<BodyJob, BodyResult>({
    filename: program,
    minThreads: 0,
    maxThreads: threads,
    idleTimeout: 60_000,
    resourceLimits: { maxOldGenerationSizeMb: threadHeapMiB, maxYoungGenerationSizeMb: 32 },
  });
  const perKey = Math.max(1, threads - 1);
  const gate = createFairGate<number | 'operators'>({ total: threads, perKey, waitingPerKey: 100, patience: 15_000 });
  return {
    async read(request, task, bytes, limits) {
      const owner = request.credential?.accountId ?? 'operators';
      const leave = gate.tryEnter(owner) ?? (await waitForTurn(gate, owner, 'too_many_large_bodies'));
      try {
        return toBody(await pool.run({ task, bytes, limits }, { transferList: [bytes.buffer as ArrayBuffer] }));
      } catch (error) {
        throw toApiError(error, request);
      } finally {
        leave();
      }
    },
    async [Symbol.asyncDispose]() {
      // What is being read is answered first.
      await pool.close();
    },
  };
}

function toBody(result: BodyResult): ThreadedBody {
  if (result.error === undefined) return new ThreadedBody(result);
  const { code, params, faults } = result.error;
  throw new ApiError(code, { params, faults });
}

/** A thread whose heap is full ends; the process does not. */
function toApiError(error: unknown, request: FastifyRequest): unknown {
  if (!(error instanceof Error) || !('code' in error) || error.code !== 'ERR_WORKER_OUT_OF_MEMORY') return error;
  request.log.warn({ route: request.routeOptions.url }, 'a body needed more memory than a thread has');
  return new ApiError('body_too_complex', { params: { limit: 'the memory of the service can hold' }, cause: error });
}

/** Gives the application its threads, and ends them with it. */
export function useBodyThreads(app: FastifyInstance, options: BodyThreadOptions): void {
  const threads = createBodyThreads(options);
  app.decorate('bodyThreads', threads);
  app.addHook('onClose', () => threads[Symbol.asyncDispose]());
}
