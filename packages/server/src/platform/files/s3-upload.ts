import {
  AbortMultipartUploadCommand,
  CreateMultipartUploadCommand,
  DeleteObjectCommand,
  NoSuchUpload,
  type S3Client,
} from '@aws-sdk/client-s3';
import { Upload } from '@aws-sdk/lib-storage';
import { Transform, type TransformCallback } from 'node:stream';
import type { WriteOptions } from './file-store.ts';

// Bytes. S3 takes at most 10,000 parts, so a file has at most 80 GiB. A write keeps 24 MiB in
// memory: two parts that are being sent, and one that is being filled.
const partSize = 8 * 1024 * 1024;
const partsUnderWay = 2;

/**
 * Milliseconds to clean up after a failed write. It is short, so that the caller learns of the
 * failure soon. What remains is for `FileStore.discard`.
 */
const cleanupTimeout = 5000;

/** The place of an object in S3. */
export interface S3Object {
  readonly Bucket: string;
  readonly Key: string;
}

/** Options of {@link uploadObject}. */
export interface UploadOptions extends Omit<WriteOptions, 'onBegin'> {
  /** Called with the id of the upload, if the object is sent in parts. */
  readonly onBegin: (uploadId: string) => Promise<void>;
  /** Milliseconds without a byte after which a request fails. */
  readonly timeout: number;
}

/** Writes an object in parts, as `FileStore.write` does, and returns its size in bytes. */
export async function uploadObject(
  client: S3Client,
  object: S3Object,
  { contentType, fill, onBegin, signal = new AbortController().signal, timeout }: UploadOptions,
): Promise<number> {
  const sink = new ByteCounter();
  const failing = new AbortController();
  const ending = AbortSignal.any([signal, failing.signal]);
  let begun: string | undefined;
  const noteUpload = async (uploadId: string): Promise<void> => {
    begun = uploadId;
    await onBegin(uploadId);
  };
  const upload = new Upload({
    client: clientOfUpload(client, ending, noteUpload),
    params: { ...object, Body: sink, ContentType: contentType },
    partSize,
    queueSize: partsUnderWay,
    leavePartsOnError: true,
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
  if (filled.status === 'fulfilled' && uploaded.status === 'fulfilled') return sink.bytes;
  const abortSignal = AbortSignal.timeout(Math.min(cleanupTimeout, timeout));
  if (uploaded.status === 'fulfilled') await client.send(new DeleteObjectCommand(object), { abortSignal });
  else if (begun !== undefined) await abortUpload(client, object, begun, abortSignal);
  throw filled.status === 'rejected' && !isEndedEarly(filled.reason) ? filled.reason : reasonOf(uploaded);
}

/** Removes the parts of an unfinished upload, if there are any. */
export async function abortUpload(
  client: S3Client,
  object: S3Object,
  uploadId: string,
  abortSignal?: AbortSignal,
): Promise<void> {
  try {
    const command = new AbortMultipartUploadCommand({ ...object, UploadId: uploadId });
    await client.send(command, abortSignal === undefined ? {} : { abortSignal });
  } catch (error) {
    if (!(error instanceof NoSuchUpload)) throw error;
  }
}

/**
 * Wraps a client for one upload. Its requests end with a signal, which the upload library does not do.
 * It calls `onBegin` before the first part is sent, which is earlier than the library tells the id.
 */
function clientOfUpload(
  client: S3Client,
  abortSignal: AbortSignal,
  onBegin: (uploadId: string) => Promise<void>,
): S3Client {
  const send = async (command: Parameters<S3Client['send']>[0]) => {
    const output = await client.send(command, { abortSignal });
    if (command instanceof CreateMultipartUploadCommand) await onBegin((output as { UploadId: string }).UploadId);
    return output;
  };
  return Object.assign(Object.create(client) as S3Client, { send });
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
