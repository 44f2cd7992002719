import { readdir, rm } from 'node:fs/promises';
import path from 'node:path';
import { Readable, Transform, type TransformCallback } from 'node:stream';
import S3rver from '@20minutes/s3rver';
import { vi } from 'vitest';
import { readConfig } from '#platform/config/config.ts';
import type { FileStore } from '#platform/files/file-store.ts';
import { openFileStore } from '#platform/files/open-file-store.ts';
import { temporaryDirectory } from '../crash/cleanup.ts';

/** A server that speaks S3, and checks signatures and checksums. */
export interface S3Server extends AsyncDisposable {
  readonly endpoint: string;
  /** Keys of the objects of the bucket. */
  objects(): Promise<string[]>;
  /** Uploads that were begun, and neither completed nor aborted. */
  unfinished(): Promise<string[]>;
  /** Requests so far: method, path and what of the query says which operation it is. */
  readonly requests: string[];
  /** While it is set, uploads of parts are answered with an error of the server. */
  failing: boolean;
  /**
   * Requests that the server accepts and never answers, by what {@link requests} says of them. Those that wait are cut off when it is set
   * again, as by a server that starts again.
   */
  hangs: (request: string) => boolean;
  /** Downloads that stop in the middle, after so many bytes; undefined: all of it is sent. */
  stallsAfter: (request: string) => number | undefined;
}

/** The bucket of the server. */
export const bucket = 'exports';

/** Starts a server with an empty bucket. */
export async function startS3Server(): Promise<S3Server> {
  const directory = await temporaryDirectory();
  const server = new S3rver({
    address: '127.0.0.1',
    port: 0,
    silent: true,
    directory: directory.path,
    configureBuckets: [{ name: bucket, configs: [] }],
  });
  const requests: string[] = [];
  const uploads = path.join(directory.path, bucket, '._S3rver_uploads');
  const state: Pick<S3Server, 'failing' | 'hangs' | 'stallsAfter'> = {
    failing: false,
    hangs: () => false,
    stallsAfter: () => undefined,
  };
  const never = new Promise<never>(() => undefined);
  server.middleware.unshift(async (context, next) => {
    const { method, query } = context;
    const request = [method, context.path, 'uploads' in query ? 'uploads' : '', query['partNumber'] ?? '']
      .join(' ')
      .trim();
    requests.push(request);
    if (state.hangs(request)) await never;
    if (state.failing && query['partNumber'] !== undefined) {
      context.status = 500;
    } else if (method === 'DELETE' && query['uploadId'] !== undefined) {
      // The one operation that this server does not know: it forgets the parts.
      await rm(path.join(uploads, path.basename(query['uploadId'])), { recursive: true, force: true });
      context.status = 204;
    } else if (query['list-type'] !== undefined) {
      // It computes the signatures of lists from `/bucket`; the path is `/bucket/`.
      server.allowMismatchedSignatures = true;
      try {
        await next();
      } finally {
        server.allowMismatchedSignatures = false;
      }
    } else await next();
    const limit = state.stallsAfter(request);
    if (limit !== undefined && context.body instanceof Readable) context.body = context.body.pipe(new Stall(limit));
  });
  const { port } = await server.run();
  return {
    endpoint: `http://127.0.0.1:${port}`,
    requests,
    get failing() {
      return state.failing;
    },
    set failing(value) {
      state.failing = value;
    },
    get hangs() {
      return state.hangs;
    },
    set hangs(value) {
      state.hangs = value;
      server.httpServer.closeAllConnections();
    },
    get stallsAfter() {
      return state.stallsAfter;
    },
    set stallsAfter(value) {
      state.stallsAfter = value;
    },
    async objects() {
      const files = await readdir(path.join(directory.path, bucket), { recursive: true });
      return files
        .filter((file) => file.endsWith('._S3rver_object'))
        .map((file) => file.replace('._S3rver_object', ''));
    },
    unfinished: async () => readdir(uploads).catch(() => []),
    async [Symbol.asyncDispose]() {
      const closed = server.close();
      server.httpServer.closeAllConnections();
      await closed;
      directory[Symbol.dispose]();
    },
  };
}

/** Passes so many bytes on, and then nothing. */
class Stall extends Transform {
  #left: number;

  constructor(limit: number) {
    super();
    this.#left = limit;
  }

  override _transform(chunk: Buffer, _encoding: BufferEncoding, done: TransformCallback): void {
    const passed = chunk.subarray(0, this.#left);
    this.#left -= passed.length;
    this.push(passed);
    if (this.#left > 0) done();
  }
}

/**
 * The store of exports in a server, as its settings open it; credentials are those that the server knows. `patience`: milliseconds that it
 * waits for the server.
 */
export function storeOn(server: S3Server, patience?: number): FileStore {
  const env = { ROSTER_EXPORT_STORE: `s3://${bucket}/some/where/`, AWS_ENDPOINT_URL: server.endpoint };
  // The client reads these by itself.
  vi.stubEnv('AWS_ACCESS_KEY_ID', 'S3RVER');
  vi.stubEnv('AWS_SECRET_ACCESS_KEY', 'S3RVER');
  return openFileStore(readConfig(env), patience);
}
