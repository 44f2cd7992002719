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
    /** Paths of the keys that an object of the body has twice; looked for where {@link FastifyContextConfig.refusesRepeatedKeys} says so. */
    repeatedKeys: readonly string[] | null;
  }
  interface FastifyContextConfig {
    /** A key that is given twice in the body is a fault; see `refusesRepeatedKeys`. */
    refusesRepeatedKeys?: boolean;
  }
}

/** Largest body of a request, whatever its operation. */
export const bodyLimit = bodyLimits.contacts.bytes;

/** Makes Fastify read JSON bodies within the limits of their operations. Operations check what the bodies must look like: {@link readBody}. */
export function useJson(app: FastifyInstance): void {
  app.removeAllContentTypeParsers();
  app.decorateRequest('repeatedKeys', null);
  app.addContentTypeParser(jsonMediaType, (request: FastifyRequest, payload: Readable) => readJson(request, payload));
  app.setValidatorCompiler(() => (value: unknown) => ({ value }));
  // Answers are built in one place each and checked against their shapes by tests; rows of a search have keys that no shape knows.
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
