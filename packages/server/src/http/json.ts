import { readerOf, Faults } from '@roster/contract';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { TSchema } from 'typebox';
import { ApiError, invalidRequest } from './api-error.ts';

/** Largest body of a request (decisions §2). */
export const bodyLimit = 16 * 1024 * 1024;

// A byte order mark is removed; bytes that are not UTF-8 are an error instead of silently becoming U+FFFD.
const utf8 = new TextDecoder('utf-8', { fatal: true });

/** Reads a body as JSON in UTF-8; throws `invalid_json` with a reason that repeats nothing of the body. */
export function parseJson(body: Buffer): unknown {
  let text: string;
  try {
    text = utf8.decode(body);
  } catch (cause) {
    throw new ApiError('invalid_json', { params: { reason: 'it is not UTF-8' }, cause });
  }
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

/** Makes Fastify read JSON bodies with {@link parseJson}, and check and normalise them with the tolerant readers of the contract. */
export function useContractReaders(app: FastifyInstance): void {
  app.removeAllContentTypeParsers();
  app.addContentTypeParser(
    /^application\/(?:[\w.-]+\+)?json(?:\s*;|$)/i,
    { parseAs: 'buffer', bodyLimit },
    (_request: FastifyRequest, body: Buffer, done: (error: Error | null, value?: unknown) => void) => {
      try {
        done(null, parseJson(body));
      } catch (error) {
        done(error as Error);
      }
    },
  );
  app.setValidatorCompiler(({ schema }) => {
    const read = readerOf(schema as TSchema);
    return (input: unknown) => {
      const faults = new Faults();
      const value = read(input, faults);
      return faults.count === 0 ? { value } : { error: invalidRequest(faults.list) };
    };
  });
  // Answers are built in one place each and checked against their shapes by tests; rows of a search have keys that no shape knows.
  app.setSerializerCompiler(() => (value) => JSON.stringify(value));
}
