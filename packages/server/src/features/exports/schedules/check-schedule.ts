import {
  type CreateExportScheduleBody,
  type Faults,
  type PartlyRead,
  type UpdateExportScheduleBody,
} from '@roster/contract';
import { checkCallbackUrl } from '#features/callbacks/destination/callback-url.ts';
import type { Context } from '#platform/context.ts';
import type { ExportPlace } from '#platform/database/schema/tables/exports.ts';
import { given } from '#platform/given.ts';
import type { ScheduleRow } from '../store/schedule-store.ts';

/** A place in S3 with its secret. */
export interface PlaceWithSecret {
  readonly place: ExportPlace;
  readonly secret: string;
}

type WrittenPlace = NonNullable<PartlyRead<CreateExportScheduleBody>['place']>;

/**
 * Checks a place in S3. Its address must fulfil the rules of callback URLs. Adds faults below
 * `place`.
 *
 * Without a secret, the stored secret is kept, but only for the same address, bucket and key. With
 * another address, somebody could send the stored secret to a server of their own.
 */
export function checkPlace(
  { config }: Pick<Context, 'config'>,
  written: WrittenPlace,
  stored: Pick<ScheduleRow, 'place' | 'place_secret'> | undefined,
  faults: Faults,
): PlaceWithSecret | undefined {
  const before = faults.count;
  const url = checkEndpoint(config.callbackAllow, written.endpoint ?? '', faults);
  const { bucket = '', key_id = '', region = 'us-east-1', prefix: given = '' } = written;
  const prefix = given.replaceAll(/^\/+|\/+$/g, '');
  const place = { endpoint: url?.origin ?? '', region, bucket, prefix: prefix === '' ? '' : `${prefix}/`, key_id };
  const secret = written.secret ?? keptSecret(place, stored);
  if (secret === undefined) faults.add('required', 'is required', 'secret');
  if (faults.count === before) return { place, secret: secret! };
  faults.prefix(before, 'place');
  return undefined;
}

function checkEndpoint(allow: Context['config']['callbackAllow'], text: string, faults: Faults): URL | undefined {
  const before = faults.count;
  const url = text === '' ? undefined : checkCallbackUrl(text, { allow, plainHttp: false }, faults);
  if (url !== undefined && (url.pathname !== '/' || url.search !== '' || url.hash !== '')) {
    faults.add('not_allowed', 'must have only a host, such as https://s3.eu-central-1.amazonaws.com');
  }
  faults.prefix(before, 'endpoint');
  return url;
}

function keptSecret(
  { endpoint, bucket, key_id: keyId }: ExportPlace,
  stored: Pick<ScheduleRow, 'place' | 'place_secret'> | undefined,
): string | undefined {
  const before = stored?.place;
  if (before == null || stored?.place_secret == null) return undefined;
  const isSame = before.endpoint === endpoint && before.bucket === bucket && before.key_id === keyId;
  return isSame ? stored.place_secret : undefined;
}

/** Returns the fields of a body that select the contacts. */
export function sourceOf({ audience_type, audience_id, filter }: PartlyRead<UpdateExportScheduleBody>) {
  return given({ audience_type, audience_id, filter });
}
