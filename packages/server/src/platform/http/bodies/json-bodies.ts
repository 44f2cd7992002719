import type { Readable } from 'node:stream';
import { bodyLimits } from '@roster/contract';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { isSmallBody } from './body-threads.ts';
import { refuseCompressed } from './content-encoding.ts';
import { decodeUtf8, jsonMediaType, parseJson } from '../json/parse-json.ts';
import { receiveBody } from './receive-body.ts';
import { repeatedKeys } from '../json/repeated-keys.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** Paths of keys that occur twice in an object of the body; null if the route allows them. */
    repeatedKeys: readonly string[] | null;
  }
  interface FastifyContextConfig {
    /** A key that occurs twice in an object of the body is a fault. */
    refusesRepeatedKeys?: boolean;
  }
}

/** Maximum bytes of a body, for all operations. */
export const bodyLimit = bodyLimits.contacts.bytes;

/**
 * Makes Fastify read JSON bodies within the limits of their operations. Operations check the shape
 * of the bodies with {@link readBody}.
 */
export function useJson(app: FastifyInstance): void {
  app.removeAllContentTypeParsers();
  app.decorateRequest('repeatedKeys', null);
  app.addContentTypeParser(jsonMediaType, (request: FastifyRequest, payload: Readable) => readJson(request, payload));
  app.setValidatorCompiler(() => (value: unknown) => ({ value }));
  // Tests check the responses against their shapes. Rows of a search have keys that no shape has.
  app.setSerializerCompiler(() => (value) => JSON.stringify(value));
}

async function readJson(request: FastifyRequest, payload: Readable): Promise<unknown> {
  refuseCompressed(request.headers);
  const { body: { limits, task } = { limits: bodyLimits.small }, refusesRepeatedKeys } = request.routeOptions.config;
  const received = await receiveBody(request, payload, { limits, content: 'json' });
  if (task !== undefined && !isSmallBody(received)) {
    return request.server.bodyThreads.read(request, task(request), received.bytes, limits);
  }
  const text = decodeUtf8(received.bytes);
  const value = parseJson(text);
  if (refusesRepeatedKeys === true) request.repeatedKeys = repeatedKeys(text);
  return value;
}
