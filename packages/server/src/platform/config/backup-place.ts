import path from 'node:path';
import type { S3Place } from './s3-place.ts';
import { readS3Place } from './s3-place.ts';

/** A place for backups: the path of a directory, or a place in S3. */
export type BackupPlace = string | S3Place;

/** Reads a directory or `s3://bucket/prefix`; throws an Error that says what is allowed. */
export function readBackupPlace(text: string): BackupPlace {
  if (/^s3:/i.test(text)) return readS3Place(text);
  if (/^[a-z][a-z0-9+.-]*:\/\//i.test(text)) throw new Error('must be a directory or s3://bucket/prefix');
  return path.resolve(text);
}

/** Formats a place as people write it. */
export const shownPlace = (place: BackupPlace): string =>
  typeof place === 'string' ? place : `s3://${place.bucket}/${place.prefix}`;

/** Returns the place of one backup within a place: its directory or prefix. */
export const placeWithin = (place: BackupPlace, name: string): BackupPlace =>
  typeof place === 'string' ? path.join(place, name) : { ...place, prefix: `${place.prefix}${name}/` };

/** Returns the last part of a place: the name of the directory or prefix. */
export const nameOf = (place: BackupPlace): string =>
  path.basename(typeof place === 'string' ? place : `/${place.prefix}`);
