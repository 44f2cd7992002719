import { createHash, timingSafeEqual, type Hash } from 'node:crypto';
import { ApiError } from '#platform/errors/api-error.ts';

/** A part of a file that is sent in parts. */
export interface FilePart {
  /** Position of its first and last byte in the file. */
  readonly start: number;
  readonly end: number;
  /** Bytes of the whole file; undefined while the sender does not know. */
  readonly total: number | undefined;
}

/** Reads `Content-Range` (RFC 9110 §14.4): undefined without it. Throws `malformed_request`. */
export function readContentRange(header: string | undefined): FilePart | undefined {
  if (header === undefined) return undefined;
  const [, start, end, total] = /^\s*bytes (\d{1,15})-(\d{1,15})\/(\d{1,15}|\*)\s*$/.exec(header) ?? [];
  const part = { start: Number(start), end: Number(end), total: total === '*' ? undefined : Number(total) };
  if (start !== undefined && part.start <= part.end && (part.total === undefined || part.end < part.total)) return part;
  throw malformed(
    'Content-Range must be like bytes 0-8388607/20000000, or bytes 0-8388607/* while the size is not known',
  );
}

/** True for the part that ends the file; `statedSize` are the bytes of the file that earlier parts have stated. */
export function isLast({ end, total }: FilePart, statedSize: number | null): boolean {
  return end + 1 === (total ?? statedSize);
}

/** A checksum that the body of a request must have. */
export interface Digest {
  readonly hash: Hash;
  readonly expected: Buffer;
}

/** Reads the SHA-256 of `Content-Digest` (RFC 9530): undefined without one. Throws `malformed_request`. */
export function readContentDigest(header: string | undefined): Digest | undefined {
  const value = header?.split(',').find((part) => /^\s*sha-256=/i.test(part));
  if (value === undefined) return undefined;
  const [, text] = /=:([A-Za-z0-9+/]{43}=):\s*$/.exec(value) ?? [];
  if (text === undefined) throw malformed('Content-Digest must be like sha-256=:<base64>:');
  return { hash: createHash('sha256'), expected: Buffer.from(text, 'base64') };
}

/** Throws `malformed_request` when a body had another checksum, or a part has another size than it says. */
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
