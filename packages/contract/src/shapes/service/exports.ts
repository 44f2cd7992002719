import { Type, type Static } from 'typebox';
import { bodyLimits } from '../common/body-limits.ts';
import { callbackMethods } from './deliveries.ts';
import { pageQueryProperties } from '../common/paging.ts';
import { exampleMoment } from '../common/examples.ts';

/** Limits of an export request. */
export const exportLimits = {
  attributes: 100,
  /** Items of `callback_details.header`. */
  callbackHeaders: 100,
  /** Days for which the file can be downloaded. */
  fileDays: 7,
} as const;

/** What becomes of an export: it waits, is being written, is there, could not be written, was stopped by an operator, or was deleted. */
export const exportStatuses = ['accepted', 'running', 'completed', 'failed', 'cancelled', 'expired'] as const;

/** Status of an export. */
export type ExportStatus = (typeof exportStatuses)[number];

// Words that say that not the whole audience is meant: ignoring one would let contacts into the file who opted out, or were filtered out.
const refuseNarrowing =
  '^(block|black|deny)[_-]?list|exclu|suppress|filter|criteri|condition|opt(ed)?[_-]?(in|out)|unsubscri';

// Words for the address of the callback, or for the callback itself, at a place where they say nothing: nobody would be called, and nobody told why.
const refuseAddresses = 'ur[il]s?$|end[_-]?point|hook|^(address|href|link|host|target|destination)$';
const refuseCallbacks = `^call[_-]?backs?$|^call[_-]?back[_-]?ur[il]$|web[_-]?hook|^end[_-]?point$`;

const audienceId = Type.Integer({
  minimum: 1,
  maximum: 2_147_483_647,
  description: 'Number of the list or segment.',
  examples: [1],
});

const audienceDetails = Type.Object(
  {
    audience_type: Type.Enum(['segment', 'list'], { description: 'In any letter case.' }),
    audience_id: audienceId,
    attributes_needed: Type.Optional(
      Type.Array(
        Type.String({ minLength: 1, maxLength: 255, description: 'Name in any letter case.', examples: ['CITY'] }),
        {
          maxItems: exportLimits.attributes,
          'x-blank-is-absent': true,
          description:
            'The columns of the file, in this order and with these names: attributes of the account (mappings are followed), `EMAIL`, `MOBILE`, the primary key, and the fields `CONTACT_ID`, `CONTACT_TYPE`, `IDENTITY`, `CREATED_AT`, `UPDATED_AT`, `EMAIL_OPTED_OUT`, `SMS_OPTED_OUT`. A name that is repeated, in whatever letter case, is one column, where it stands first. Default: the primary key, `EMAIL`, `MOBILE`.',
        },
      ),
    ),
    blocklist_type: Type.Optional(
      Type.Enum(['email', 'mobile', 'phone'], {
        description:
          'Leaves out contacts that opted out on this identifier: `email` those who opted out of e-mail, `mobile` (or `phone`) those who opted out of SMS or of WhatsApp; both leave out contacts that were blacklisted without an opt-out. Without it nobody is left out.',
      }),
    ),
  },
  { 'x-refuse-unknown': refuseNarrowing, description: 'The audience to export.' },
);

const header = Type.Unsafe<Record<string, string | number | boolean | null>>({
  type: 'object',
  patternProperties: { '^.*$': { type: ['string', 'number', 'boolean', 'null'], format: 'attribute-value' } },
  maxProperties: exportLimits.callbackHeaders,
  description:
    'One header, as `{"X-Token": "secret"}` or as `{"key": "X-Token", "value": "secret"}`; `name` may stand for `key`, and other keys beside the two are ignored.',
  examples: [{ 'X-Token': 'secret' }],
});

const callbackDetails = Type.Object(
  {
    method: Type.Optional(
      Type.Enum([...callbackMethods], {
        default: 'POST',
        description:
          'Default: POST. `GET` sends no body: the fields of the payload are query parameters, `callbackBody` as JSON.',
      }),
    ),
    endpoint: Type.Optional(
      Type.String({
        maxLength: 2048,
        description:
          'HTTPS address of the callback. Absent or blank: there is no callback. Plain HTTP and internal addresses only where an operator has allowed them.',
        examples: ['https://example.com/exports'],
      }),
    ),
    header: Type.Optional(
      Type.Array(header, {
        maxItems: exportLimits.callbackHeaders,
        description:
          'Headers of the callback. `Host`, `Content-Length`, `Transfer-Encoding`, `Connection` and those that Roster sets are refused.',
      }),
    ),
    body: Type.Optional(
      Type.Unsafe<Record<string, unknown>>({
        type: 'object',
        format: 'json-object',
        description:
          'Anything that the receiver wants to get back, sent as `callbackBody`; default `{}`. At most 65,536 characters of JSON and 100 levels (with `GET` 4,000 characters, percent-encoded); integers beyond 2^53 as strings, because their last digits would be lost.',
        examples: [{ job: 'nightly' }],
      }),
    ),
  },
  {
    'x-refuse-unknown': refuseAddresses,
    'x-hint': 'Send {"endpoint": "https://…"}, or {} for an export without a callback',
    description: 'Whom to tell when the export has ended. Must be there, if only as `{}`.',
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
          '`gzip` makes the file a `.csv.gz`; `file_type` stays `csv`. Not part of the original interface. Default: none.',
      }),
    ),
    notify_email: Type.Optional(
      Type.String({
        maxLength: 254,
        description: 'Gets a mail when the export has ended. Absent or blank: nobody does.',
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

const requestId = Type.String({
  format: 'uuid',
  description: 'Identifier of the export.',
  examples: ['019a9d3e-7c1b-7f3a-9b52-2f3c8b1d0a11'],
});

/** Answer to an accepted export. */
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
  { $id: 'ExportAcceptedAnswer', description: 'The export is stored and will run.' },
);

/** Error answer of audience export. */
export const ExportErrorAnswer = Type.Object(
  {
    data: Type.Object({
      status: Type.Literal('error'),
      description: Type.String(),
      errors: Type.Array(Type.Ref('ErrorEntry'), { description: 'Every fault of the request, at most 150.' }),
    }),
    message: Type.String({ description: 'The same text as the description.' }),
    statusCode: Type.Integer({ description: 'The HTTP status.', examples: [400] }),
  },
  { $id: 'ExportErrorAnswer', description: 'An error of the audience export.' },
);

/** Query of the listing of exports. */
export const ListExportsQuery = Type.Object(
  {
    ...pageQueryProperties,
    status: Type.Optional(Type.Enum([...exportStatuses], { description: 'Only exports of this status.' })),
  },
  { additionalProperties: false },
);

const orNull = (type: 'date-time' | 'uuid', description: string, example: string | null = null) =>
  Type.Union([Type.String({ format: type }), Type.Null()], { description, examples: [example] });

/** An export as the operator API shows it. */
export const Export = Type.Object(
  {
    request_id: requestId,
    status: Type.Enum([...exportStatuses], {
      description:
        '`accepted`: waits. `running`: is being written. `completed`: the file is there. `failed`: `error` says why. `cancelled`: stopped by an operator. `expired`: was completed, and the file is deleted.',
      examples: ['completed'],
    }),
    audience_type: Type.Enum(['list', 'segment']),
    audience_id: audienceId,
    attributes: Type.Array(Type.String(), { description: 'The columns, as requested.', examples: [['EMAIL', 'CITY']] }),
    blocklist_type: Type.Union([Type.Enum(['email', 'mobile']), Type.Null()], { examples: ['email'] }),
    unmasked: Type.Boolean({ description: 'True when the API key had the scope `unmasked`.' }),
    api_key_id: Type.Integer({ description: 'The API key that asked for it.', examples: [1] }),
    file_type: Type.Literal('csv'),
    compression: Type.Enum(['none', 'gzip']),
    rows_total: Type.Union([Type.Integer({ minimum: 0 }), Type.Null()], {
      description: 'How many rows it is expected to have; exact once completed, null before it runs.',
      examples: [1250],
    }),
    rows_written: Type.Integer({
      minimum: 0,
      description: 'Rows so far, written down every second.',
      examples: [1250],
    }),
    file_size: Type.Union([Type.Integer({ minimum: 0 }), Type.Null()], {
      description: 'Bytes of the file; null until it is completed.',
      examples: [81_250],
    }),
    file_url: Type.Union([Type.String(), Type.Null()], {
      description: 'Signed address of the file; null unless it is completed.',
      examples: [
        'http://127.0.0.1:8080/files/exports/1/019a9d3e-7c1b-7f3a-9b52-2f3c8b1d0a11.csv?expires=1770454800&signature=b3Bl',
      ],
    }),
    error: Type.Union([Type.String(), Type.Null()], { description: 'Why it failed.' }),
    delivery_id: orNull('uuid', 'The delivery of the callback, once the export has ended.'),
    mail_id: orNull('uuid', 'The mail to `notify_email`, once the export has ended.'),
    accepted_at: Type.String({ format: 'date-time' }),
    started_at: orNull('date-time', 'When it began to run.', exampleMoment),
    finished_at: orNull('date-time', 'When it ended.', exampleMoment),
    expires_at: orNull('date-time', 'When the file is deleted.'),
  },
  { $id: 'Export', description: 'An export, its progress and its file.' },
);

/** Body of an export request as the reader gives it. */
export type ExportAudienceBody = Static<typeof ExportAudienceBody>;
export type ListExportsQuery = Static<typeof ListExportsQuery>;
export type Export = Static<typeof Export>;

/** Body of the callback that an export sends when it has ended. */
export const ExportReport = Type.Object(
  {
    request_id: requestId,
    status: Type.Enum(['completed', 'failed']),
    audience_type: Type.Enum(['list', 'segment']),
    audience_id: Type.Integer({ examples: [1] }),
    file_type: Type.Literal('csv'),
    row_count: Type.Union([Type.Integer(), Type.Null()], {
      description: 'Contacts in the file; null without a file.',
      examples: [1200],
    }),
    file_size: Type.Union([Type.Integer(), Type.Null()], {
      description: 'Bytes of the file; null without a file.',
      examples: [48_210],
    }),
    file_url: Type.Union([Type.String(), Type.Null()], {
      description: 'Signed address of the file; null without a file.',
      examples: ['https://roster.example.com/files/exports/019a9d3e.csv?signature=…'],
    }),
    expires_at: orNull('date-time', 'When the file is deleted; null without a file.'),
    error: Type.Optional(
      Type.String({ description: 'Why the export failed.', examples: ['The file store has no space left'] }),
    ),
    callbackBody: Type.Object(
      {},
      {
        additionalProperties: true,
        description: '`callback_details.body` as it was sent.',
        examples: [{ campaign: 7 }],
      },
    ),
  },
  {
    $id: 'ExportReport',
    description: 'The end of an export.',
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
