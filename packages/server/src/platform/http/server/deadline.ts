import { Readable } from 'node:stream';
import type { FastifyInstance } from 'fastify';
import { ApiError } from '#platform/errors/api-error.ts';
import { within } from '#platform/loops/within.ts';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Milliseconds that the handler may take after the body was read; default 45 s. */
    deadline?: number;
  }
}

/** The deadline in milliseconds of operations that store requests. */
export const acceptDeadline = 15_000;

// Longer than all time limits within operations: an attribute update waits up to 30 s.
const defaultDeadline = 45_000;

/**
 * Gives every handler a deadline, so that no caller waits for ever. After the deadline, the
 * response is 503 `timed_out` and the outcome is unknown. Uploads have no deadline. Call it before
 * the routes.
 */
export function limitHandlers(app: FastifyInstance): void {
  app.addHook('onRoute', (route) => {
    if (route.config?.arrivesSlowly === true) return;
    const deadline = route.config?.deadline ?? defaultDeadline;
    const { handler } = route;
    route.handler = function limited(this: FastifyInstance, ...call) {
      const result: unknown = handler.apply(this, call);
      return result instanceof Promise ? inTime(deadline, result) : result;
    };
  });
}

function inTime(milliseconds: number, result: Promise<unknown>): Promise<unknown> {
  return within(milliseconds, result, () => {
    // No one reads a stream that comes too late.
    void result.then(
      (late) => (late instanceof Readable ? late.destroy() : undefined),
      () => undefined,
    );
    throw new ApiError('timed_out', { params: { seconds: milliseconds / 1000 }, headers: { 'retry-after': '5' } });
  });
}
