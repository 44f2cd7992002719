import path from 'node:path';
import type { S3Place } from './s3-place.ts';
import { readS3Place } from './s3-place.ts';

/** Where backups lie: the path of a directory, or a place in S3. */
export type BackupPlace = string | S3Place;

/** Reads a directory or `s3://bucket/prefix`; throws an Error that says what is allowed. */
export function readBackupPlace(text: string): BackupPlace {
  if (/^s3:/i.test(text)) return readS3Place(text);
  if (/^[a-z][a-z0-9+.-]*:\/\//i.test(text)) throw new Error('must be a directory, or like s3://bucket/prefix');
  return path.resolve(text);
}

/** A place as people write it. */
export const shownPlace = (place: BackupPlace): string =>
  typeof place === 'string' ? place : `s3://${place.bucket}/${place.prefix}`;

/** A place within a place: the directory, or the prefix, of one backup. */
export const placeWithin = (place: BackupPlace, name: string): BackupPlace =>
  typeof place === 'string' ? path.join(place, name) : { ...place, prefix: `${place.prefix}${name}/` };

/** The last part of a place: the name of the directory, or of the prefix. */
export const nameOf = (place: BackupPlace): string =>
  path.basename(typeof place === 'string' ? place : `/${place.prefix}`);
