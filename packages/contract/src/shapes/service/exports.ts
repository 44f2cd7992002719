import { Type, type Static } from 'typebox';
import { bodyLimits } from '../common/body-limits.ts';
import { callbackLimits, callbackMethods } from './deliveries.ts';
import { pageQueryProperties } from '../common/paging.ts';
import { exampleMoment } from '../common/envelope.ts';
import { momentOrNull } from '../common/fields.ts';

/** Limits of an export request. */
export const exportLimits = {
  attributes: 100,
  /** Days for which the file can be downloaded. */
  fileDays: 7,
} as const;

/** States of an export. */
export const exportStatuses = ['accepted', 'running', 'completed', 'failed', 'cancelled', 'expired'] as const;

/** Status of an export. */
export type ExportStatus = (typeof exportStatuses)[number];

/** Channels whose opt-outs an export can leave out. `mobile` means SMS and WhatsApp. */
export const blocklistTypes = ['email', 'mobile'] as const;

/** One of {@link blocklistTypes}. */
export type BlocklistType = (typeof blocklistTypes)[number];

// Unknown keys that look as if they narrow the audience. Ignoring such a key would export contacts
// that opted out, or that a filter should exclude.
const refuseNarrowing =
  '^(block|black|deny)[_-]?list|exclu|suppress|filter|criteri|condition|opt(ed)?[_-]?(in|out)|unsubscri';

// Unknown keys that look like the callback or its URL. Ignoring such a key would send no callback,
// and the caller would not know why.
const refuseAddresses = 'ur[il]s?$|end[_-]?point|hook|^(address|href|link|host|target|destination)$';
const refuseCallbacks = `^call[_-]?backs?$|^call[_-]?back[_-]?ur[il]$|web[_-]?hook|^end[_-]?point$`;

/** The number of a list or segment. */
export const audienceId = Type.Integer({
  minimum: 1,
  maximum: 2_147_483_647,
  description: 'Number of the list or segment.',
  examples: [1],
});

/** The columns of the file of an export. */
export const exportColumns = Type.Array(
  Type.String({ minLength: 1, maxLength: 255, description: 'Name in any letter case.', examples: ['CITY'] }),
  {
    maxItems: exportLimits.attributes,
    'x-blank-is-absent': true,
    description:
      'Columns of the file, in this order and with these names. A column is an attribute of the account, the primary key, `EMAIL`, `MOBILE`, `CONTACT_ID`, `CONTACT_TYPE`, `IDENTITY`, `CREATED_AT`, `UPDATED_AT`, `EMAIL_OPTED_OUT`, `SMS_OPTED_OUT` or `WHATSAPP_OPTED_OUT`. Mappings apply. A repeated name, in any letter case, is one column at its first place. Default: the primary key, `EMAIL`, `MOBILE`.',
  },
);

const audienceDetails = Type.Object(
  {
    audience_type: Type.Enum(['segment', 'list'], { description: 'In any letter case.' }),
    audience_id: audienceId,
    attributes_needed: Type.Optional(exportColumns),
    blocklist_type: Type.Optional(
      Type.Enum(['email', 'mobile', 'phone'], {
        description:
          'Leaves out contacts that opted out. `email`: contacts that opted out of e-mail. `mobile` (or `phone`): contacts that opted out of SMS or WhatsApp. Both also leave out contacts that were blacklisted without an opt-out. Absent: no contact is left out.',
      }),
    ),
  },
  { 'x-refuse-unknown': refuseNarrowing, description: 'The audience to export.' },
);

const header = Type.Unsafe<Record<string, string | number | boolean | null>>({
  type: 'object',
  patternProperties: { '^.*$': { type: ['string', 'number', 'boolean', 'null'], format: 'attribute-value' } },
  maxProperties: callbackLimits.headers,
  description:
    'One header, as `{"X-Token": "secret"}` or as `{"key": "X-Token", "value": "secret"}`. In the second form, `key` can also be called `name`, and other keys are ignored.',
  examples: [{ 'X-Token': 'secret' }],
});

const callbackDetails = Type.Object(
  {
    method: Type.Optional(
      Type.Enum([...callbackMethods], {
        default: 'POST',
        description: 'Default: POST. `GET` sends no body. The fields are query parameters, and `callbackBody` is JSON.',
      }),
    ),
    endpoint: Type.Optional(
      Type.String({
        maxLength: callbackLimits.urlLength,
        description:
          'HTTPS URL of the callback. Absent or blank: there is no callback. An operator can allow plain HTTP and internal addresses.',
        examples: ['https://example.com/exports'],
      }),
    ),
    header: Type.Optional(
      Type.Array(header, {
        maxItems: callbackLimits.headers,
        description:
          'Headers of the callback. `Host`, `Content-Length`, `Transfer-Encoding`, `Connection` and the headers that Roster sets are refused.',
      }),
    ),
    body: Type.Optional(
      Type.Unsafe<Record<string, unknown>>({
        type: 'object',
        format: 'json-object',
        description:
          'Any object. The callback sends it back as `callbackBody`. Default: `{}`. It has up to 65,536 characters of JSON and 100 levels. With `GET`, it has up to 4,000 characters after percent-encoding. Send integers above 2^53 as strings, because their last digits would be lost.',
        examples: [{ job: 'nightly' }],
      }),
    ),
  },
  {
    'x-refuse-unknown': refuseAddresses,
    'x-hint': 'Send {"endpoint": "https://…"}, or {} for an export without a callback',
    description: 'The callback that is sent when the export has ended. Required. Send `{}` for no callback.',
  },
);

/** Body of audience export. */
export const ExportAudienceBody = Type.Object(
  {
    audience_details: audienceDetails,
    file_type: Type.Optional(Type.Enum(['csv'], { default: 'csv', description: 'Default: csv.' })),
    compression: Type.Optional(
      Type.Enum(['none', 'gzip'], {
        default: 'none',
        description:
          '`gzip`: the file is a `.csv.gz`, and `file_type` is still `csv`. This field is an addition to the original interface. Default: none.',
      }),
    ),
    notify_email: Type.Optional(
      Type.String({
        maxLength: 254,
        description: 'E-mail address that gets a mail when the export has ended. Absent or blank: no mail is sent.',
        examples: ['asha@example.com'],
      }),
    ),
    callback_details: callbackDetails,
  },
  {
    $id: 'ExportAudienceBody',
    description: 'An audience to export to a file.',
    'x-body': bodyLimits.export,
    'x-refuse-unknown': `${refuseNarrowing}|${refuseCallbacks}`,
    'x-refuse-repeats': true,
  },
);

/** The identifier of an export. */
export const requestId = Type.String({
  format: 'uuid',
  description: 'Identifier of the export.',
  examples: ['019a9d3e-7c1b-7f3a-9b52-2f3c8b1d0a11'],
});

/** Answer of audience export. */
export const ExportAcceptedAnswer = Type.Object(
  {
    data: Type.Object({
      status: Type.Literal('success'),
      description: Type.String({ examples: ['The export request was created'] }),
      request_id: requestId,
    }),
    message: Type.String({
      description: 'The same text as the description.',
      examples: ['The export request was created'],
    }),
    statusCode: Type.Literal(200),
  },
  { $id: 'ExportAcceptedAnswer', description: 'The export is stored and will be written.' },
);

/** Error answer of v4. */
export const ExportErrorAnswer = Type.Object(
  {
    data: Type.Object({
      status: Type.Literal('error'),
      description: Type.String(),
      errors: Type.Array(Type.Ref('ErrorEntry'), { description: 'Every fault of the request, up to 150.' }),
    }),
    message: Type.String({ description: 'The same text as the description.' }),
    statusCode: Type.Integer({ description: 'The HTTP status.', examples: [400] }),
  },
  { $id: 'ExportErrorAnswer', description: 'An error of v4.' },
);

/** Query of listing exports. */
export const ListExportsQuery = Type.Object(
  {
    ...pageQueryProperties,
    status: Type.Optional(Type.Enum([...exportStatuses], { description: 'Only exports of this status.' })),
  },
  { additionalProperties: false },
);

const uuidOrNull = (description: string) =>
  Type.Union([Type.String({ format: 'uuid' }), Type.Null()], { description, examples: [null] });

/** An export as the operator API shows it. */
export const Export = Type.Object(
  {
    request_id: requestId,
    status: Type.Enum([...exportStatuses], {
      description:
        '`accepted`: waits to be written. `running`: is being written. `completed`: the file can be downloaded. `failed`: `error` says why. `cancelled`: an operator stopped it. `expired`: it was completed, and the file was deleted. Roster never deletes a file in the S3 place of a schedule.',
      examples: ['completed'],
    }),
    audience_type: Type.Union([Type.Enum(['list', 'segment']), Type.Null()], {
      description: 'Null for an export of a filter.',
      examples: ['list'],
    }),
    audience_id: Type.Union([audienceId, Type.Null()], { examples: [1] }),
    filter: Type.Union([Type.Ref('ExportFilter'), Type.Null()], {
      description: 'The filter, with the current names of the attributes. Null for an export of an audience.',
      examples: [null],
    }),
    attributes: Type.Array(Type.String(), { description: 'The columns, as requested.', examples: [['EMAIL', 'CITY']] }),
    blocklist_type: Type.Union([Type.Enum([...blocklistTypes]), Type.Null()], { examples: ['email'] }),
    unmasked: Type.Boolean({ description: 'True when the file has unmasked values of masked attributes.' }),
    author: Type.String({
      description: 'Who started the export, as in the audit log.',
      examples: ['api-key:1'],
    }),
    api_key_id: Type.Union([Type.Integer(), Type.Null()], {
      description: 'The API key that requested the export. Null if no API key did.',
      examples: [1],
    }),
    schedule_id: uuidOrNull('The schedule that started the export.'),
    due_at: momentOrNull('The time for which the schedule started the export.'),
    place: Type.Union([Type.String(), Type.Null()], {
      description: 'The place in S3 that gets the file. Null: the file is in the file store of the service.',
      examples: [null],
    }),
    file_type: Type.Literal('csv'),
    compression: Type.Enum(['none', 'gzip']),
    rows_total: Type.Union([Type.Integer({ minimum: 0 }), Type.Null()], {
      description: 'Expected number of rows. Exact when the export is completed, null before it runs.',
      examples: [1250],
    }),
    rows_written: Type.Integer({
      minimum: 0,
      description: 'Rows written so far. Updated every second.',
      examples: [1250],
    }),
    file_size: Type.Union([Type.Integer({ minimum: 0 }), Type.Null()], {
      description: 'Size of the file in bytes. Null until the export is completed.',
      examples: [81_250],
    }),
    file_url: Type.Union([Type.String(), Type.Null()], {
      description:
        'Signed URL of the file. Null unless `status` is `completed`, and for a file in S3. Also null for a caller without the permission `export`, and for a file with unmasked values if the caller may not see them.',
      examples: [
        'http://127.0.0.1:8080/files/exports/1/019a9d3e-7c1b-7f3a-9b52-2f3c8b1d0a11.csv?expires=1770454800&signature=b3Bl',
      ],
    }),
    error: Type.Union([Type.String(), Type.Null()], { description: 'Why the export failed.' }),
    delivery_id: uuidOrNull('The delivery of the callback. Null until the export has ended, or without a callback.'),
    mail_id: uuidOrNull('The mail to `notify_email`. Null until the export has ended, or without a mail.'),
    accepted_at: Type.String({ format: 'date-time' }),
    started_at: momentOrNull('When it started to run.', exampleMoment),
    finished_at: momentOrNull('When it ended.', exampleMoment),
    expires_at: momentOrNull('When the file is deleted.'),
  },
  { $id: 'Export', description: 'An export, its progress and its file.' },
);

/** Body of an export request, after reading. */
export type ExportAudienceBody = Static<typeof ExportAudienceBody>;
export type ListExportsQuery = Static<typeof ListExportsQuery>;
export type Export = Static<typeof Export>;

/** Body of the callback that an export sends when it has ended. */
export const ExportReport = Type.Object(
  {
    request_id: requestId,
    status: Type.Enum(['completed', 'failed']),
    audience_type: Type.Union([Type.Enum(['list', 'segment']), Type.Null()], {
      description: 'Null for an export of a filter.',
      examples: ['list'],
    }),
    audience_id: Type.Union([Type.Integer(), Type.Null()], { examples: [1] }),
    file_type: Type.Literal('csv'),
    row_count: Type.Union([Type.Integer(), Type.Null()], {
      description: 'Number of contacts in the file. Null without a file.',
      examples: [1200],
    }),
    file_size: Type.Union([Type.Integer(), Type.Null()], {
      description: 'Size of the file in bytes. Null without a file.',
      examples: [48_210],
    }),
    file_url: Type.Union([Type.String(), Type.Null()], {
      description: 'Signed URL of the file. Null without a file.',
      examples: ['https://roster.example.com/files/exports/019a9d3e.csv?signature=…'],
    }),
    expires_at: momentOrNull('When the file is deleted. Null without a file.'),
    error: Type.Optional(
      Type.String({ description: 'Why the export failed.', examples: ['The file store has no space left'] }),
    ),
    callbackBody: Type.Object(
      {},
      {
        additionalProperties: true,
        description: 'The `callback_details.body` of the request.',
        examples: [{ campaign: 7 }],
      },
    ),
  },
  {
    $id: 'ExportReport',
    description: 'The result of an export.',
    examples: [
      {
        request_id: '019a9d3e-7c1b-7f3a-9b52-2f3c8b1d0a11',
        status: 'completed',
        audience_type: 'list',
        audience_id: 1,
        file_type: 'csv',
        row_count: 1200,
        file_size: 48_210,
        file_url: 'https://roster.example.com/files/exports/019a9d3e.csv?signature=…',
        expires_at: '2026-02-07T09:00:00.000Z',
        callbackBody: { campaign: 7 },
      },
    ],
  },
);
export type ExportReport = Static<typeof ExportReport>;
