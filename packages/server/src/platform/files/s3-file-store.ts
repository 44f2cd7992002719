import type { S3Client } from '@aws-sdk/client-s3';
import type { Agent as HttpAgent } from 'node:http';
import type { Agent as HttpsAgent } from 'node:https';
import { type Readable, Transform, type TransformCallback } from 'node:stream';
import type { S3Place } from '#platform/config/s3-place.ts';
import { given } from '#platform/given.ts';
import type { ByteRange, FileStore, StoredFile } from './file-store.ts';

/** How to connect to S3. Absent values are found as every AWS client finds them. */
export interface S3Connection {
  /** Address of an S3-compatible server. Its buckets are addressed by path. */
  readonly endpoint?: string | undefined;
  readonly region?: string | undefined;
  readonly credentials?: { readonly accessKeyId: string; readonly secretAccessKey: string };
  /** Agents that decide which addresses a connection may be made to. */
  readonly agents?: { readonly httpAgent: HttpAgent; readonly httpsAgent: HttpsAgent };
  /** Milliseconds without a byte after which a request fails. */
  readonly timeout: number;
}

// Bytes. S3 takes at most 10,000 parts, so a file has at most 80 GiB. A write keeps 24 MiB in
// memory: two parts that are being sent, and one that is being filled.
const partSize = 8 * 1024 * 1024;
const partsUnderWay = 2;

// Milliseconds. A download ends when its client stops reading for so long. The client can continue
// with a range request.
const readerTimeout = 120_000;
const connectTimeout = 5000;
// A slow client keeps a connection until its download ends. The default is 50 connections, which one
// caller could hold.
const anyNumber = { httpAgent: { maxSockets: Infinity }, httpsAgent: { maxSockets: Infinity } };
/**
 * Milliseconds to clean up after a failed write. It is short, so that the caller learns of the
 * failure soon. What remains is for {@link FileStore.discard}.
 */
const cleanupTimeout = 5000;

/**
 * Stores files in a bucket of S3 or of a compatible server.
 *
 * Files are uploaded in parts, and S3 shows a file only when its upload is completed. An unfinished
 * upload is invisible but costs money. Its id is passed to `onBegin`, so that it can be aborted.
 */
export async function s3FileStore({ bucket, prefix }: S3Place, connection: S3Connection): Promise<FileStore> {
  // Loaded only when needed: the client takes 20 MB of memory.
  const [s3, { Upload }] = await Promise.all([import('@aws-sdk/client-s3'), import('@aws-sdk/lib-storage')]);
  const client = withoutTimeoutRetries(new s3.S3Client(clientOptions(connection, connection.timeout)));
  const downloads = withoutTimeoutRetries(new s3.S3Client(clientOptions(connection, readerTimeout, anyNumber)));
  const objectOf = (key: string) => ({ Bucket: bucket, Key: `${prefix}${key}` });
  const onCreated = new Map<string, (uploadId: string) => Promise<void>>();
  client.middlewareStack.add(
    (next) => async (args) => {
      const result = await next(args);
      const { Key, UploadId } = result.output as { Key?: string; UploadId?: string };
      // The upload library does not tell the id before it has sent the first part.
      if (Key !== undefined && UploadId !== undefined) await onCreated.get(Key)?.(UploadId);
      return result;
    },
    { step: 'initialize', name: 'rememberUpload' },
  );

  async function abortUpload(
    object: ReturnType<typeof objectOf>,
    UploadId: string,
    options: { readonly abortSignal?: AbortSignal } = {},
  ): Promise<void> {
    try {
      await client.send(new s3.AbortMultipartUploadCommand({ ...object, UploadId }), options);
    } catch (error) {
      if (!(error instanceof s3.NoSuchUpload)) throw error;
    }
  }

  return {
    async write(key, { contentType, fill, onBegin, signal = new AbortController().signal }) {
      const object = objectOf(key);
      const sink = new ByteCounter();
      const params = { ...object, Body: sink, ContentType: contentType };
      const failing = new AbortController();
      const ending = AbortSignal.any([signal, failing.signal]);
      const upload = new Upload({
        client: abortable(client, ending),
        params,
        partSize,
        queueSize: partsUnderWay,
        leavePartsOnError: true,
      });
      let begun: string | undefined;
      onCreated.set(object.Key, async (uploadId) => {
        begun = uploadId;
        await onBegin(`${key} ${uploadId}`);
      });
      // When the content fails, the sink fails and the requests under way end. When the upload
      // fails, it destroys the sink.
      const [filled, uploaded] = await Promise.allSettled([
        fill(sink).catch((error: unknown) => {
          failing.abort();
          throw error;
        }),
        upload.done(),
      ]);
      onCreated.delete(object.Key);
      if (filled.status === 'fulfilled' && uploaded.status === 'fulfilled') return sink.bytes;
      const abortSignal = AbortSignal.timeout(Math.min(cleanupTimeout, connection.timeout));
      if (uploaded.status === 'fulfilled') await client.send(new s3.DeleteObjectCommand(object), { abortSignal });
      else if (begun !== undefined) await abortUpload(object, begun, { abortSignal });
      throw filled.status === 'rejected' && !isEndedEarly(filled.reason) ? filled.reason : reasonOf(uploaded);
    },

    async read(key, range, signal) {
      // The client would also end the download if the signal of the caller were aborted later.
      const begun = new AbortController();
      const abort = () => begun.abort();
      signal?.addEventListener('abort', abort, { once: true });
      try {
        const command = new s3.GetObjectCommand({ ...objectOf(key), ...rangeOf(range) });
        const { Body } = await downloads.send(command, { abortSignal: begun.signal });
        return Body as Readable;
      } catch (error) {
        if (error instanceof s3.NoSuchKey) return undefined;
        throw error;
      } finally {
        signal?.removeEventListener('abort', abort);
      }
    },

    async list(keyPrefix) {
      const pages = s3.paginateListObjectsV2({ client }, { Bucket: bucket, Prefix: `${prefix}${keyPrefix}` });
      const files: StoredFile[] = [];
      for await (const { Contents = [] } of pages) {
        for (const { Key, Size } of Contents) files.push({ key: Key!.slice(prefix.length), size: Size ?? 0 });
      }
      return files;
    },

    async delete(key) {
      await client.send(new s3.DeleteObjectCommand(objectOf(key)));
    },

    async discard(unfinished) {
      const at = unfinished.indexOf(' ');
      await abortUpload(objectOf(unfinished.slice(0, at)), unfinished.slice(at + 1));
    },

    async [Symbol.asyncDispose]() {
      client.destroy();
      downloads.destroy();
    },
  };
}

function clientOptions(
  { endpoint, region, credentials, agents }: S3Connection,
  socketTimeout: number,
  defaultAgents: object = {},
) {
  return {
    requestHandler: { connectionTimeout: connectTimeout, socketTimeout, ...(agents ?? defaultAgents) },
    maxAttempts: 2,
    ...(endpoint === undefined ? {} : { endpoint, forcePathStyle: true, region: region ?? 'us-east-1' }),
    ...given({ region, credentials }),
  };
}

/**
 * Stops the client from retrying timeouts. The caller has waited long enough, and exports are
 * retried later. A worker runs only two exports at a time, so hanging exports delay others.
 */
function withoutTimeoutRetries(client: S3Client): S3Client {
  client.middlewareStack.add(
    (next) => async (args) => {
      try {
        return await next(args);
      } catch (error) {
        if (!(error instanceof Error) || error.name !== 'TimeoutError') throw error;
        // The client decides by name, code and cause whether to retry. So throw a plain error.
        // oxlint-disable-next-line eslint/preserve-caught-error
        throw new Error(error.message.replace(/^@smithy\S* - /, ''));
      }
    },
    { step: 'finalizeRequest', name: 'withoutTimeoutRetries', priority: 'low' },
  );
  return client;
}

/** Wraps a client so that its requests end with a signal. The upload library does not end them. */
function abortable(client: S3Client, abortSignal: AbortSignal): S3Client {
  const send = (command: Parameters<S3Client['send']>[0]) => client.send(command, { abortSignal });
  return Object.assign(Object.create(client) as S3Client, { send });
}

function rangeOf(range: ByteRange | undefined) {
  return range === undefined ? {} : { Range: `bytes=${range.start}-${range.end}` };
}

/** Counts the bytes that pass through. */
class ByteCounter extends Transform {
  bytes = 0;

  override _transform(chunk: Buffer, _encoding: BufferEncoding, done: TransformCallback): void {
    this.bytes += chunk.length;
    done(null, chunk);
  }
}

function reasonOf(result: PromiseSettledResult<unknown>): unknown {
  return result.status === 'rejected' ? result.reason : new Error('the content of the file ended too early');
}

/** True for the error of a stream whose reader closed it. The reader has the actual error. */
function isEndedEarly(error: unknown): boolean {
  const code = (error as { code?: unknown } | null)?.code;
  return code === 'ERR_STREAM_PREMATURE_CLOSE' || code === 'ABORT_ERR';
}
