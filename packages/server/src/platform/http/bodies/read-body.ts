import { bodyLimits, bodyLimitsOf, readerOf, type Faults, type PartlyRead } from '@roster/contract';
import type { FastifyContextConfig, FastifyRequest } from 'fastify';
import type { Static, TSchema } from 'typebox';
import type { BodyTask } from './body-task.ts';
import { ThreadedBody } from './body-threads.ts';
import { addRepeatedKeys, refusesRepeatedKeys } from '../json/repeated-keys.ts';

/**
 * Reads the body of a request in a shape, tolerantly; adds what is wrong to `faults` and returns what could be read.
 *
 * Not done by Fastify's validator, which would end the request before anything else is looked at: all faults come in one answer.
 */
export function readBody<Shape extends TSchema>(
  shape: Shape,
  request: FastifyRequest,
  faults: Faults,
): PartlyRead<Static<Shape>> {
  if (request.body instanceof ThreadedBody) {
    return (request.body.take(faults) ?? {}) as PartlyRead<Static<Shape>>;
  }
  addRepeatedKeys(request.repeatedKeys ?? [], faults);
  // Nothing can be read of a body that is not an object.
  return (readerOf(shape)(request.body, faults) ?? {}) as PartlyRead<Static<Shape>>;
}

/** How the bodies of a route are received: within the limits of their shape, and by `task` when they are large; default: read in their shape. */
export function bodyConfig(
  shape: TSchema | undefined,
  task?: (request: FastifyRequest) => BodyTask,
): Pick<FastifyContextConfig, 'body' | 'refusesRepeatedKeys'> {
  if (shape === undefined) return { body: { limits: bodyLimits.small } };
  const limits = bodyLimitsOf(shape);
  const { $id } = shape as { $id?: string };
  const readShape = $id === undefined ? undefined : () => ({ kind: 'shape', shape: $id }) as const;
  // What always is small need not be able to go to a thread.
  const read = task ?? (limits.values > bodyLimits.small.values ? readShape : undefined);
  return {
    body: { limits, ...(read === undefined ? {} : { task: read }) },
    refusesRepeatedKeys: refusesRepeatedKeys(shape),
  };
}
