import type { FastifyInstance, FastifyRequest } from 'fastify';
import { ApiError } from './api-error.ts';
import { packingOf } from './packing.ts';
import { repeatedKeys } from './repeated-keys.ts';

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

/** Largest body of a request (decisions §2). */
export const bodyLimit = 16 * 1024 * 1024;

// A byte order mark is removed; bytes that are not UTF-8 are an error instead of silently becoming U+FFFD.
const utf8 = new TextDecoder('utf-8', { fatal: true });

/** Reads a body as UTF-8; throws `invalid_json` when it is not. */
export function decodeUtf8(body: Buffer): string {
  try {
    return utf8.decode(body);
  } catch (cause) {
    throw new ApiError('invalid_json', { params: { reason: 'it is not UTF-8' }, cause });
  }
}

/** The media types of JSON, with or without parameters. */
export const jsonMediaType = /^application\/(?:[\w.-]+\+)?json(?:\s*;|$)/i;

/** The value of a JSON text; undefined when it is none. */
export function tryJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Reads JSON; throws `invalid_json` with a reason that repeats nothing of the text. */
export function parseJson(text: string): unknown {
  if (text.trim() === '') throw new ApiError('invalid_json', { params: { reason: 'it is empty' } });
  try {
    return JSON.parse(text);
  } catch (cause) {
    const position = cause instanceof Error ? /position (\d+)/.exec(cause.message)?.[1] : undefined;
    const reason =
      position === undefined
        ? 'it ends too early or has a syntax error'
        : `there is a syntax error at character ${position}`;
    throw new ApiError('invalid_json', { params: { reason } });
  }
}

/** Makes Fastify read JSON bodies with {@link parseJson}. What they have to look like is checked by the operations: {@link readBody}. */
export function useJson(app: FastifyInstance): void {
  app.removeAllContentTypeParsers();
  app.decorateRequest('repeatedKeys', null);
  app.decorateRequest('bodyLines', null);
  app.addContentTypeParser(
    jsonMediaType,
    { parseAs: 'buffer', bodyLimit },
    (request: FastifyRequest, body: Buffer, done: (error: Error | null, value?: unknown) => void) => {
      try {
        done(null, readJson(request, body));
      } catch (error) {
        done(error as Error);
      }
    },
  );
  app.setValidatorCompiler(() => (value: unknown) => ({ value }));
  // Answers are built in one place each and checked against their shapes by tests; rows of a search have keys that no shape knows.
  app.setSerializerCompiler(() => (value) => JSON.stringify(value));
}

function readJson(request: FastifyRequest, body: Buffer): unknown {
  if (packingOf(request.headers) !== 'none') throw new ApiError('unsupported_content_encoding');
  const text = decodeUtf8(body);
  const value = parseJson(text);
  if (request.routeOptions.config.refusesRepeatedKeys === true) request.repeatedKeys = repeatedKeys(text);
  return value;
}
