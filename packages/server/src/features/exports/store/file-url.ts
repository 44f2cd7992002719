import { createHmac, timingSafeEqual } from 'node:crypto';
import type { Config } from '#platform/config/config.ts';
import { publicUrlOf } from '#platform/config/public-url.ts';
import type { ExportRow } from './export-store.ts';

/** Where the files of exports are served. */
export const filesPath = '/files/exports';

/** What the address of a file is made from. */
export type AddressedFile = Pick<ExportRow, 'account_id' | 'request_id' | 'compression' | 'secret' | 'expires_at'>;

/** Name of a file in its address; the part before the first dot is the `request_id`. */
export function fileName({ request_id, compression }: Pick<AddressedFile, 'request_id' | 'compression'>): string {
  return `${request_id}.csv${compression === 'gzip' ? '.gz' : ''}`;
}

/**
 * The address of the file of a completed export. Whoever has it can read the file until it expires, and nothing else: the
 * signature covers the path and the expiry, with a secret of this export alone.
 */
export function fileUrl(config: Config, file: AddressedFile): string {
  const path = `${filesPath}/${file.account_id}/${fileName(file)}`;
  const expires = secondsOf(file.expires_at!);
  return `${publicUrlOf(config)}${path}?expires=${expires}&signature=${sign(file.secret, path, expires)}`;
}

/** True when a signature was made by {@link fileUrl}; takes one time, whatever was sent. */
export function isSigned(secret: Buffer, path: string, expires: number, signature: string): boolean {
  const expected = Buffer.from(sign(secret, path, expires));
  const given = Buffer.from(signature);
  return given.length === expected.length && timingSafeEqual(given, expected);
}

function sign(secret: Buffer, path: string, expires: number): string {
  return createHmac('sha256', secret).update(`${path}\n${expires}`).digest('base64url');
}

function secondsOf(moment: Date): number {
  return Math.floor(moment.getTime() / 1000);
}
