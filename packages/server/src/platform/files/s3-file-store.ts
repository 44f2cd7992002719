import { DeleteObjectCommand, GetObjectCommand, NoSuchKey, paginateListObjectsV2, S3Client } from '@aws-sdk/client-s3';
import type { Agent as HttpAgent } from 'node:http';
import type { Agent as HttpsAgent } from 'node:https';
import type { Readable } from 'node:stream';
import type { S3Place } from '#platform/config/s3-place.ts';
import { given } from '#platform/given.ts';
import type { ByteRange, FileStore, StoredFile } from './file-store.ts';
import { abortUpload, uploadObject, type S3Object } from './s3-upload.ts';

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

// Milliseconds. A download ends when its client stops reading for so long. The client can continue
// with a range request.
const readerTimeout = 120_000;
const connectTimeout = 5000;
// A slow client keeps a connection until its download ends. The default is 50 connections, which one
// caller could hold.
const anyNumber = { httpAgent: { maxSockets: Infinity }, httpsAgent: { maxSockets: Infinity } };

/**
 * Stores files in a bucket of S3 or of a compatible server.
 *
 * Files are uploaded in parts, and S3 shows a file only when its upload is completed. An unfinished
 * upload is invisible but costs money. Its id is passed to `onBegin`, so that it can be aborted.
 *
 * Import this file only when it is needed: the client of S3 takes 20 MB of memory.
 */
export function s3FileStore({ bucket, prefix }: S3Place, connection: S3Connection): FileStore {
  const client = withoutTimeoutRetries(new S3Client(clientOptions(connection, connection.timeout)));
  const downloads = withoutTimeoutRetries(new S3Client(clientOptions(connection, readerTimeout, anyNumber)));
  const objectOf = (key: string): S3Object => ({ Bucket: bucket, Key: `${prefix}${key}` });

  return {
    write: (key, options) =>
      uploadObject(client, objectOf(key), {
        ...options,
        timeout: connection.timeout,
        onBegin: (uploadId) => options.onBegin(`${key} ${uploadId}`),
      }),

    async read(key, range, signal) {
      // The client would also end the download if the signal of the caller were aborted later.
      const begun = new AbortController();
      const abort = () => begun.abort();
      signal?.addEventListener('abort', abort, { once: true });
      try {
        const command = new GetObjectCommand({ ...objectOf(key), ...rangeOf(range) });
        const { Body } = await downloads.send(command, { abortSignal: begun.signal });
        return Body as Readable;
      } catch (error) {
        if (error instanceof NoSuchKey) return undefined;
        throw error;
      } finally {
        signal?.removeEventListener('abort', abort);
      }
    },

    async list(keyPrefix) {
      const pages = paginateListObjectsV2({ client }, { Bucket: bucket, Prefix: `${prefix}${keyPrefix}` });
      const files: StoredFile[] = [];
      for await (const { Contents = [] } of pages) {
        for (const { Key, Size } of Contents) files.push({ key: Key!.slice(prefix.length), size: Size ?? 0 });
      }
      return files;
    },

    async delete(key) {
      await client.send(new DeleteObjectCommand(objectOf(key)));
    },

    async discard(unfinished) {
      const at = unfinished.indexOf(' ');
      await abortUpload(client, objectOf(unfinished.slice(0, at)), unfinished.slice(at + 1));
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

function rangeOf(range: ByteRange | undefined) {
  return range === undefined ? {} : { Range: `bytes=${range.start}-${range.end}` };
}
