import { readerOf, type Faults, type PartlyRead } from '@roster/contract';
import type { FastifyRequest } from 'fastify';
import type { Static, TSchema } from 'typebox';
import { nameLines } from './bulk-bodies.ts';

/**
 * Reads the body of a request in a shape, tolerantly; adds what is wrong to `faults` and answers what could be read.
 *
 * Not done by Fastify's validator, which would end the request before anything else is looked at: all faults come in one answer (decisions §2).
 */
export function readBody<Shape extends TSchema>(
  shape: Shape,
  request: FastifyRequest,
  faults: Faults,
): PartlyRead<Static<Shape>> {
  for (const path of request.repeatedKeys ?? []) {
    faults.add('duplicate', 'is given twice in the same object: leave one of them out', path);
  }
  // Of a body that is no object nothing could be read.
  const body = (readerOf(shape)(request.body, faults) ?? {}) as PartlyRead<Static<Shape>>;
  nameLines(request, faults);
  return body;
}

/** True for the shapes in which a key that is given twice is refused, because dropping one of the two values could widen what is meant. */
export function refusesRepeatedKeys(shape: TSchema): boolean {
  return (shape as { 'x-refuse-repeats'?: boolean })['x-refuse-repeats'] === true;
}
