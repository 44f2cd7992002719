import { Type, type Static, type TSchema } from 'typebox';
import { bodyLimits } from '../common/body-limits.ts';
import { exampleMoment } from '../common/envelope.ts';
import { audienceId, blocklistTypes } from '../service/exports.ts';
import { exportCallback, exportContent, exportDelivery, exportSource } from './create-export.ts';
import { momentOrNull } from '../common/fields.ts';

/** Limits of export schedules. */
export const scheduleLimits = {
  /** Schedules of an account. */
  perAccount: 100,
  /** Newest files that a schedule can keep. */
  files: 100,
  /** Failures in a row after which a schedule is disabled. */
  failures: 5,
  /** Days for which the history of a schedule is kept. */
  historyDays: 400,
} as const;

/** Days of the week, as schedules name them. */
export const weekdays = ['monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday', 'sunday'] as const;

/** A day of the week. */
export type Weekday = (typeof weekdays)[number];

/** When a schedule runs. */
export const ScheduleTiming = Type.Object(
  {
    every: Type.Enum(['day', 'week', 'month', 'cron'], {
      description:
        '`day`: at `at`. `week`: on `weekdays` at `at`. `month`: on the day `day` at `at`. `cron`: at the times of the expression `cron`.',
      examples: ['day'],
    }),
    at: Type.Optional(
      Type.String({
        minLength: 5,
        maxLength: 5,
        pattern: '^([01][0-9]|2[0-3]):[0-5][0-9]$',
        description:
          'Time of the day, `HH:MM`, in the time zone of the account. A time that a clock change skips is moved to the first moment after it. A time that a clock change repeats counts once. Required unless `every` is `cron`.',
        examples: ['06:30'],
      }),
    ),
    weekdays: Type.Optional(
      Type.Array(Type.Enum([...weekdays]), {
        minItems: 1,
        maxItems: 7,
        description: 'Required if `every` is `week`.',
        examples: [['monday']],
      }),
    ),
    day: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: 31,
        description: 'Day of the month. In a shorter month, the last day. Required if `every` is `month`.',
        examples: [1],
      }),
    ),
    cron: Type.Optional(
      Type.String({
        maxLength: 100,
        description:
          'Five fields (minute, hour, day, month, weekday) in the time zone of the account. Required if `every` is `cron`.',
        examples: ['0 6 * * 1-5'],
      }),
    ),
  },
  { description: 'When a schedule runs.', additionalProperties: false },
);

const placeFields = {
  endpoint: Type.String({
    minLength: 1,
    maxLength: 2000,
    description:
      'HTTPS address of S3 or of a compatible server. It must not lead to a private address, unless an operator allows the host with `ROSTER_CALLBACK_ALLOW`.',
    examples: ['https://s3.eu-central-1.amazonaws.com'],
  }),
  region: Type.Optional(Type.String({ maxLength: 64, description: 'Default: us-east-1.', examples: ['eu-central-1'] })),
  bucket: Type.String({
    minLength: 3,
    maxLength: 63,
    pattern: '^[a-z0-9][a-z0-9.-]*[a-z0-9]$',
    examples: ['customer-exports'],
  }),
  prefix: Type.Optional(
    Type.String({
      maxLength: 500,
      pattern: '^[A-Za-z0-9_!.*()/-]*$',
      description: 'Beginning of the names of the files, such as `roster/`. Default: none.',
      examples: ['roster/'],
    }),
  ),
  key_id: Type.String({ minLength: 1, maxLength: 255, examples: ['AKIAEXAMPLE'] }),
};

const writtenPlace = Type.Object(
  {
    ...placeFields,
    secret: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 1000,
        description:
          'The secret of the key. No answer shows it. Required, except in a change that keeps endpoint, bucket and key.',
        examples: ['secret'],
      }),
    ),
  },
  { additionalProperties: false, description: 'A place in S3 that gets the files.' },
);

const nameOptions = {
  minLength: 1,
  maxLength: 255,
  'x-plain-name': true,
  description: 'Name for people.',
  examples: ['Newsletter, every morning'],
};
const name = Type.String(nameOptions);
const keepFiles = Type.Integer({
  minimum: 1,
  maximum: scheduleLimits.files,
  default: 7,
  description: 'Number of newest files that are kept. Older files are deleted. Files in S3 stay. Default: 7.',
  examples: [7],
});
const paused = Type.Boolean({ default: false, description: 'True: the schedule does not run. Default: false.' });

/** Body of schedule creation. */
export const CreateExportScheduleBody = Type.Object(
  {
    name,
    ...exportSource,
    ...exportContent,
    ...exportDelivery,
    timing: ScheduleTiming,
    place: Type.Optional(writtenPlace),
    keep_files: Type.Optional(keepFiles),
    paused: Type.Optional(paused),
  },
  {
    $id: 'CreateExportScheduleBody',
    description: 'An export that runs at regular times.',
    'x-body': bodyLimits.filter,
    additionalProperties: false,
    'x-refuse-repeats': true,
  },
);

const orNone = <Schema extends TSchema>(schema: Schema, description: string) =>
  Type.Optional(Type.Union([schema, Type.Null()], { description }));

/** Body of schedule update. */
export const UpdateExportScheduleBody = Type.Object(
  {
    name: Type.Optional(Type.String({ ...nameOptions, 'x-refuse-null': true })),
    ...exportSource,
    attributes: exportContent.attributes,
    blocklist_type: orNone(
      Type.Enum([...blocklistTypes]),
      'Leaves out contacts that opted out. Null: no contact is left out.',
    ),
    unmasked: exportContent.unmasked,
    compression: exportDelivery.compression,
    notify_email: orNone(Type.String({ maxLength: 254 }), 'E-mail address for the mail at the end. Null: no mail.'),
    callback: Type.Optional(
      Type.Union([exportCallback, Type.Null()], {
        description: 'A new callback. Null: no callback. Absent: the callback stays, with its headers.',
      }),
    ),
    timing: Type.Optional(ScheduleTiming),
    place: Type.Optional(
      Type.Union([writtenPlace, Type.Null()], {
        description: 'A place in S3. Null: the file store of the service. Without `secret`, the stored secret is kept.',
      }),
    ),
    keep_files: Type.Optional(keepFiles),
    paused: Type.Optional(paused),
  },
  {
    $id: 'UpdateExportScheduleBody',
    description:
      'Changes of a schedule. Absent fields stay as they are. An audience replaces a filter, and a filter replaces an audience. Every change enables a disabled schedule.',
    'x-body': bodyLimits.filter,
    additionalProperties: false,
    minProperties: 1,
    'x-refuse-repeats': true,
  },
);

const runStatuses = ['started', 'completed', 'failed', 'cancelled', 'skipped'] as const;

/** One run of a schedule. */
export const ExportScheduleRun = Type.Object(
  {
    due_at: Type.String({ format: 'date-time', description: 'When the run was due. No two runs have the same time.' }),
    by_hand: Type.Boolean({ description: 'True: a person or program started the run.' }),
    status: Type.Enum([...runStatuses], {
      description:
        '`started`: the export waits or runs. `completed`, `failed`, `cancelled`: how the export ended. `skipped`: there was no export, because the run before was still going.',
      examples: ['completed'],
    }),
    request_id: Type.Union([Type.String({ format: 'uuid' }), Type.Null()], {
      description: 'The export. Null if there was none.',
      examples: ['019a9d3e-7c1b-7f3a-9b52-2f3c8b1d0a11'],
    }),
    missed: Type.Integer({
      minimum: 0,
      description: 'Number of earlier times without a run, because no worker was running. One run replaces them.',
      examples: [0],
    }),
    reason: Type.Union([Type.String(), Type.Null()], {
      description: 'Why the run failed or was skipped.',
      examples: [null],
    }),
    rows_written: Type.Union([Type.Integer(), Type.Null()], { examples: [1250] }),
    file_size: Type.Union([Type.Integer(), Type.Null()], { description: 'In bytes.', examples: [81_250] }),
    finished_at: momentOrNull('When it ended. Null while it runs.', exampleMoment),
  },
  { $id: 'ExportScheduleRun', description: 'One run of an export schedule.' },
);

/** A schedule as the operator API shows it. */
export const ExportSchedule = Type.Object(
  {
    schedule_id: Type.String({ format: 'uuid', examples: ['019a9d3e-7c1b-7f3a-9b52-2f3c8b1d0a12'] }),
    name,
    status: Type.Enum(['active', 'paused', 'disabled'], {
      description: `\`disabled\`: it failed ${scheduleLimits.failures} times in a row. Any change of the schedule enables it again.`,
      examples: ['active'],
    }),
    audience_type: Type.Union([Type.Enum(['list', 'segment']), Type.Null()], { examples: ['list'] }),
    audience_id: Type.Union([audienceId, Type.Null()], { examples: [1] }),
    filter: Type.Union([Type.Ref('ExportFilter'), Type.Null()], {
      description: 'The filter, with the current names of the attributes. Null for an audience.',
      examples: [null],
    }),
    attributes: Type.Array(Type.String(), { examples: [['EMAIL', 'CITY']] }),
    blocklist_type: Type.Union([Type.Enum([...blocklistTypes]), Type.Null()], { examples: [null] }),
    unmasked: Type.Boolean(),
    compression: Type.Enum(['none', 'gzip']),
    notify_email: Type.Union([Type.String(), Type.Null()], { examples: [null] }),
    callback: Type.Union(
      [Type.Object({ method: Type.String({ examples: ['POST'] }), url: Type.String() }), Type.Null()],
      { description: 'The callback, without its headers and body.', examples: [null] },
    ),
    timing: ScheduleTiming,
    time_zone: Type.String({ description: 'Time zone of the account.', examples: ['Asia/Kolkata'] }),
    place: Type.Union([Type.Object({ ...placeFields, region: Type.String(), prefix: Type.String() }), Type.Null()], {
      description: 'The place in S3, without the secret. Null: the file store of the service.',
      examples: [null],
    }),
    keep_files: keepFiles,
    failures: Type.Integer({
      minimum: 0,
      description: 'Failed runs since the last completed run.',
      examples: [0],
    }),
    disabled_at: momentOrNull('When it was disabled.'),
    next_run_at: momentOrNull('When it runs next. Null while it is paused or disabled.', exampleMoment),
    last_run: Type.Union([Type.Ref('ExportScheduleRun'), Type.Null()], { description: 'The newest run.' }),
    author: Type.String({
      description:
        'Who created or changed it last, as in the audit log. A run starts only while this author may export, and may see unmasked values if the schedule exports them.',
      examples: ['operator'],
    }),
    version: Type.Integer({ description: 'Number of the change. The ETag is made of it.', examples: [1] }),
    created_at: Type.String({ format: 'date-time' }),
    updated_at: Type.String({ format: 'date-time' }),
  },
  { $id: 'ExportSchedule', description: 'An export that runs at regular times.' },
);

export type ScheduleTiming = Static<typeof ScheduleTiming>;
/** Body of schedule creation, after reading. */
export type CreateExportScheduleBody = Static<typeof CreateExportScheduleBody>;
export type UpdateExportScheduleBody = Static<typeof UpdateExportScheduleBody>;
export type ExportScheduleRun = Static<typeof ExportScheduleRun>;
export type ExportSchedule = Static<typeof ExportSchedule>;
