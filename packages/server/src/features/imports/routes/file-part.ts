import { createHash, timingSafeEqual, type Hash } from 'node:crypto';
import { ApiError } from '#platform/errors/api-error.ts';

/** One part of a file that is sent in parts. */
export interface FilePart {
  /** Positions of its first and last byte in the file. */
  readonly start: number;
  readonly end: number;
  /** Size of the whole file in bytes; undefined when the part does not state it. */
  readonly total: number | undefined;
}

/** Reads the header `Content-Range` (RFC 9110 §14.4). Throws `malformed_request`. */
export function readContentRange(header: string | undefined): FilePart | undefined {
  if (header === undefined) return undefined;
  const [, start, end, total] = /^\s*bytes (\d{1,15})-(\d{1,15})\/(\d{1,15}|\*)\s*$/.exec(header) ?? [];
  const part = { start: Number(start), end: Number(end), total: total === '*' ? undefined : Number(total) };
  if (start !== undefined && part.start <= part.end && (part.total === undefined || part.end < part.total)) return part;
  throw malformed(
    'Content-Range must look like bytes 0-8388607/20000000, or bytes 0-8388607/* when you do not know the size yet',
  );
}

/**
 * Returns true for the last part of a file. `statedSize` is the file size that earlier parts state.
 */
export function isLast({ end, total }: FilePart, statedSize: number | null): boolean {
  return end + 1 === (total ?? statedSize);
}

/** A checksum that the body of a request must have. */
export interface Digest {
  readonly hash: Hash;
  readonly expected: Buffer;
}

/** Reads the SHA-256 of the header `Content-Digest` (RFC 9530). Throws `malformed_request`. */
export function readContentDigest(header: string | undefined): Digest | undefined {
  const value = header?.split(',').find((part) => /^\s*sha-256=/i.test(part));
  if (value === undefined) return undefined;
  const [, text] = /=:([A-Za-z0-9+/]{43}=):\s*$/.exec(value) ?? [];
  if (text === undefined) throw malformed('Content-Digest must look like sha-256=:<base64>:');
  return { hash: createHash('sha256'), expected: Buffer.from(text, 'base64') };
}

/** Throws `malformed_request` when a body is empty, or its size or checksum is wrong. */
export function checkBody(size: number, part: FilePart | undefined, digest: Digest | undefined): void {
  if (size === 0) throw malformed('The request body is empty. Send the file as the body');
  if (part !== undefined && size !== part.end - part.start + 1) {
    throw malformed(`Content-Range says ${part.end - part.start + 1} bytes, and the body has ${size}`);
  }
  if (digest !== undefined && !timingSafeEqual(digest.hash.digest(), digest.expected)) {
    throw malformed('The body does not have the checksum of Content-Digest. Send it again');
  }
}

function malformed(reason: string): ApiError {
  return new ApiError('malformed_request', { params: { reason } });
}
