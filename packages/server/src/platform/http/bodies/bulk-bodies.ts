import type { Readable } from 'node:stream';
import { bodyLimits } from '@roster/contract';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { isSmallBody } from './body-threads.ts';
import { isGzip } from './content-encoding.ts';
import { jsonMediaType } from '../json/parse-json.ts';
import { receiveBody } from './receive-body.ts';

/** The value of `request.body` for a bulk body that is small enough to be read without a thread. */
export interface BulkBody {
  readonly bytes: Buffer;
  readonly isLines: boolean;
}

/**
 * Makes the operations of a scope read bulk bodies: JSON, or `application/x-ndjson` with one record
 * in each line. Both may be compressed with gzip; the limits apply to the decompressed body. Large
 * and compressed bodies are read in a thread.
 */
export function useBulkBodies(app: FastifyInstance): void {
  app.removeAllContentTypeParsers();
  const read = async (request: FastifyRequest, payload: Readable, isLines: boolean): Promise<unknown> => {
    const isCompressed = isGzip(request.headers);
    const { limits } = request.routeOptions.config.body ?? { limits: bodyLimits.small };
    const content = isCompressed ? 'compressed' : isLines ? 'lines' : 'json';
    const received = await receiveBody(request, payload, { limits, content });
    if (!isCompressed && isSmallBody(received)) return { bytes: received.bytes, isLines } satisfies BulkBody;
    const task = { kind: 'records', isLines, isCompressed } as const;
    return request.server.bodyThreads.read(request, task, received.bytes, limits);
  };
  app.addContentTypeParser(jsonMediaType, (request: FastifyRequest, payload: Readable) =>
    read(request, payload, false),
  );
  app.addContentTypeParser(/^application\/(?:x-)?ndjson(?:\s*;|$)/i, (request: FastifyRequest, payload: Readable) =>
    read(request, payload, true),
  );
}
