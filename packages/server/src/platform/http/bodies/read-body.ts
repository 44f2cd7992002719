import { bodyLimits, bodyLimitsOf, readerOf, type Faults, type PartlyRead } from '@roster/contract';
import type { FastifyContextConfig, FastifyRequest } from 'fastify';
import type { Static, TSchema } from 'typebox';
import type { BodyTask } from './body-task.ts';
import { ThreadedBody } from './body-threads.ts';
import { addRepeatedKeys, refusesRepeatedKeys } from '../json/repeated-keys.ts';

/**
 * Reads the body of a request in a shape. Adds its faults to `faults` and returns the parts that
 * could be read.
 *
 * Fastify's validator is not used, because it would end the request at its first fault. One
 * response lists all faults.
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
  // A body that is not an object has no parts.
  return (readerOf(shape)(request.body, faults) ?? {}) as PartlyRead<Static<Shape>>;
}

/**
 * Makes the configuration of a route for its bodies: the limits of the shape, and what a thread
 * does with large bodies. Default: the thread reads the body in its shape.
 */
export function bodyConfig(
  shape: TSchema | undefined,
  task?: (request: FastifyRequest) => BodyTask,
): Pick<FastifyContextConfig, 'body' | 'refusesRepeatedKeys'> {
  if (shape === undefined) return { body: { limits: bodyLimits.small } };
  const limits = bodyLimitsOf(shape);
  const { $id } = shape as { $id?: string };
  const readShape = $id === undefined ? undefined : () => ({ kind: 'shape', shape: $id }) as const;
  // Bodies that are always small need no thread.
  const read = task ?? (limits.values > bodyLimits.small.values ? readShape : undefined);
  return {
    body: { limits, ...(read === undefined ? {} : { task: read }) },
    refusesRepeatedKeys: refusesRepeatedKeys(shape),
  };
}
