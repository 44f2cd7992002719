import { readdir, rm } from 'node:fs/promises';
import path from 'node:path';
import { Readable, Transform, type TransformCallback } from 'node:stream';
import S3rver from '@20minutes/s3rver';
import { vi } from 'vitest';
import { readConfig } from '#platform/config/config.ts';
import type { FileStore } from '#platform/files/file-store.ts';
import { openFileStore } from '#platform/files/open-file-store.ts';
import { temporaryDirectory } from '../../../embedded-postgres/test/support.ts';

/** An S3 server that checks signatures and checksums. */
export interface S3Server extends AsyncDisposable {
  readonly endpoint: string;
  /** The keys of the objects in the bucket. */
  objects(): Promise<string[]>;
  /** Uploads that were started, but neither completed nor aborted. */
  unfinished(): Promise<string[]>;
  /** Requests so far: the method, the path, and the query parameters that name the operation. */
  readonly requests: string[];
  /** While this is true, uploads of parts fail with an error of the server. */
  failing: boolean;
  /**
   * Selects requests, as they are listed in {@link requests}, that the server accepts but never
   * answers. Setting it again closes all connections, like a restart of the server.
   */
  hangs: (request: string) => boolean;
  /** The number of bytes after which a download stops, or undefined to send all of it. */
  stallsAfter: (request: string) => number | undefined;
}

/** The only bucket of the server. */
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
      // The server does not implement this operation, so the parts are deleted here.
      await rm(path.join(uploads, path.basename(query['uploadId'])), { recursive: true, force: true });
      context.status = 204;
    } else if (query['list-type'] !== undefined) {
      // The server computes the signatures of lists for `/bucket`, but the path is `/bucket/`.
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
      await directory[Symbol.asyncDispose]();
    },
  };
}

/** Passes a number of bytes on, and then nothing more. */
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
 * Opens the file store in the bucket of a server, with credentials that the server knows.
 * `patience` is how many milliseconds the store waits for the server.
 */
export function storeOn(server: S3Server, patience?: number): FileStore {
  const env = { ROSTER_EXPORT_STORE: `s3://${bucket}/some/where/`, AWS_ENDPOINT_URL: server.endpoint };
  // The client reads these by itself.
  vi.stubEnv('AWS_ACCESS_KEY_ID', 'S3RVER');
  vi.stubEnv('AWS_SECRET_ACCESS_KEY', 'S3RVER');
  return openFileStore(readConfig(env), patience);
}
