import { createHmac, timingSafeEqual } from 'node:crypto';
import { exportLimits } from '@roster/contract';
import type { Config } from '#platform/config/config.ts';
import { publicUrlOf } from '#platform/config/public-url.ts';
import { millisecondsPerDay } from '#platform/time/intervals.ts';
import type { ExportRow } from './export-store.ts';

/** The path under which the files of exports are served. */
export const filesPath = '/files/exports';

/** Returns the name of a file in its URL. The part before the first dot is the `request_id`. */
export function fileName({ request_id, compression }: Pick<ExportRow, 'request_id' | 'compression'>): string {
  return `${request_id}.csv${compression === 'gzip' ? '.gz' : ''}`;
}

/**
 * Returns when a link to a file ends: after 7 days, or when the file is deleted. Null as long as
 * there is no file.
 */
export function linkExpiry({ expires_at: expiresAt }: Pick<ExportRow, 'expires_at'>, now: Date): Date | null {
  if (expiresAt === null) return null;
  return new Date(Math.min(expiresAt.getTime(), now.getTime() + exportLimits.fileDays * millisecondsPerDay));
}

/**
 * Returns the URL of the file of a completed export. Everyone who has the URL can read this file
 * until it expires. The path and the expiry are signed with the secret of the export.
 */
export function fileUrl(
  config: Config,
  file: Pick<ExportRow, 'account_id' | 'request_id' | 'compression' | 'secret' | 'expires_at'>,
  now: Date,
): string {
  const path = `${filesPath}/${file.account_id}/${fileName(file)}`;
  const expires = Math.floor(linkExpiry(file, now)!.getTime() / 1000);
  return `${publicUrlOf(config)}${path}?expires=${expires}&signature=${sign(file.secret, path, expires)}`;
}

/** Returns true when {@link fileUrl} made the signature. Always takes the same time. */
export function isSigned(secret: Buffer, path: string, expires: number, signature: string): boolean {
  const expected = Buffer.from(sign(secret, path, expires));
  const given = Buffer.from(signature);
  return given.length === expected.length && timingSafeEqual(given, expected);
}

function sign(secret: Buffer, path: string, expires: number): string {
  return createHmac('sha256', secret).update(`${path}\n${expires}`).digest('base64url');
}
