import type { CreateExportScheduleBody, ExportSchedule, UpdateExportScheduleBody } from '@roster/client';
import type { NewExportSearch } from './search.ts';
import { contentOf, type bodyOf, type ExportContent } from './source-fields.tsx';

/** The days of the week, as the API names them. */
export const weekdays = ['monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday', 'sunday'] as const;

/** A schedule while a person fills in its form. */
export interface ScheduleDraft {
  readonly name: string;
  readonly content: ExportContent;
  readonly every: ExportSchedule['timing']['every'];
  readonly at: string;
  readonly weekdays: readonly (typeof weekdays)[number][];
  /** Null: not filled in. */
  readonly day: number | null;
  readonly cron: string;
  readonly to: 'store' | 's3';
  /** Null: not filled in. */
  readonly keep: number | null;
  readonly place: Readonly<Record<'endpoint' | 'region' | 'bucket' | 'prefix' | 'key_id' | 'secret', string>>;
  readonly isCompressed: boolean;
  readonly mail: string;
}

/** A new schedule: every morning. */
const emptyDraft: ScheduleDraft = {
  name: '',
  content: contentOf({}),
  every: 'day',
  at: '06:30',
  weekdays: ['monday'],
  day: 1,
  cron: '',
  to: 'store',
  keep: 7,
  place: { endpoint: '', region: '', bucket: '', prefix: '', key_id: '', secret: '' },
  isCompressed: false,
  mail: '',
};

/** Returns the form of a new schedule. `selection` are the contacts and columns of the address. */
export function newDraft(selection: NewExportSearch): ScheduleDraft {
  return { ...emptyDraft, content: contentOf(selection) };
}

/** Returns the form of a stored schedule. */
export function draftOf(schedule: ExportSchedule): ScheduleDraft {
  const { timing, place, audience_type, audience_id, filter, attributes, blocklist_type } = schedule;
  const selection = {
    attributes,
    ...(audience_type === null ? {} : { audience_type }),
    ...(audience_id === null ? {} : { audience_id }),
    ...(filter === null ? {} : { filter }),
    ...(blocklist_type === null ? {} : { blocklist_type }),
  };
  return {
    ...emptyDraft,
    name: schedule.name,
    content: { ...contentOf(selection), unmasked: schedule.unmasked },
    every: timing.every,
    at: timing.at ?? emptyDraft.at,
    weekdays: timing.weekdays ?? emptyDraft.weekdays,
    day: timing.day ?? 1,
    cron: timing.cron ?? '',
    to: place === null ? 'store' : 's3',
    keep: schedule.keep_files ?? emptyDraft.keep,
    place: place === null ? emptyDraft.place : { ...emptyDraft.place, ...place },
    isCompressed: schedule.compression === 'gzip',
    mail: schedule.notify_email ?? '',
  };
}

/** Returns the body of a request. `content` is the part that selects contacts and columns. */
export function requestOf(
  draft: ScheduleDraft,
  content: NonNullable<ReturnType<typeof bodyOf>>,
): CreateExportScheduleBody {
  const { every, at, day, cron, place, keep } = draft;
  const timing = {
    every,
    ...(every === 'cron' ? { cron } : { at }),
    ...(every === 'week' ? { weekdays: [...draft.weekdays] } : {}),
    ...(every === 'month' && day !== null ? { day } : {}),
  };
  const { endpoint, region, bucket, prefix, key_id, secret } = place;
  return {
    name: draft.name,
    ...content,
    timing,
    compression: draft.isCompressed ? 'gzip' : 'none',
    ...(draft.mail.trim() === '' ? {} : { notify_email: draft.mail.trim() }),
    ...(keep === null ? {} : { keep_files: keep }),
    ...(draft.to === 'store'
      ? {}
      : {
          place: {
            endpoint,
            bucket,
            key_id,
            ...(region === '' ? {} : { region }),
            ...(prefix === '' ? {} : { prefix }),
            ...(secret === '' ? {} : { secret }),
          },
        }),
  };
}

/** Returns the body of a change of a schedule, in which nothing stays as it was. */
export function changeOf(
  draft: ScheduleDraft,
  content: NonNullable<ReturnType<typeof bodyOf>>,
): UpdateExportScheduleBody {
  const body = requestOf(draft, content);
  return {
    ...body,
    attributes: body.attributes ?? [],
    blocklist_type: body.blocklist_type ?? null,
    unmasked: body.unmasked ?? false,
    notify_email: body.notify_email ?? null,
    place: body.place ?? null,
  };
}
