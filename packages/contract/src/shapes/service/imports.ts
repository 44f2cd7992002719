import { Type, type Static } from 'typebox';
import { bodyLimits } from '../common/body-limits.ts';
import { dataTypes } from '../contacts/attributes.ts';
import { optOutChannels } from '../contacts/contacts.ts';
import { importPresetIds } from '../../presets/import-preset.ts';
import { FieldColumn, JsonColumn, ListNamesColumn, SkippedColumn, type GivenColumnBody } from './import-columns.ts';
import { pageQueryProperties } from '../common/paging.ts';
import { exampleMoment } from '../common/envelope.ts';
import { count, momentOrNull } from '../common/fields.ts';

/** Limits of a file import. */
export const importLimits = {
  /** Imports of an account that have not ended, with those that wait for their file. */
  unfinished: 1000,
  /** Columns of a file. */
  columns: 600,
  /** Characters of the name of a column. */
  headerCharacters: 1000,
  /** Lists that the contacts are added to. */
  audiences: 100,
  /** Hours for which an import waits for its file. */
  fileHours: 24,
  /** Characters of the URL of a file, after percent-encoding. Signed URLs are long. */
  urlCharacters: 4000,
} as const;

/** States of an import. */
export const importStatuses = [
  'awaiting_file',
  'fetching',
  'accepted',
  'running',
  'completed',
  'failed',
  'cancelled',
] as const;

/** Formats of imported files. */
export const importFormats = ['csv', 'ndjson'] as const;

/** Encodings of imported files. */
export const importEncodings = ['utf-8', 'utf-16le', 'utf-16be', 'windows-1252'] as const;

/** Characters that separate the cells of a row. `tab` means the tab character. */
export const importDelimiters = [',', ';', '|', 'tab'] as const;

/** What a row does: create or change a contact, only create one, or only change one. */
export const importModes = ['upsert', 'create', 'update'] as const;

/** What an empty cell means: the value stays as it is, or is cleared. */
export const importBlankCells = ['leave', 'clear'] as const;

/**
 * When the apostrophe of the formula guard is removed from CSV cells: if the file has the guard,
 * always, or never.
 */
export const importFormulaGuards = ['auto', 'remove', 'keep'] as const;

/** When an import removes the apostrophe of the formula guard. */
export type ImportFormulaGuard = (typeof importFormulaGuards)[number];

/** What an import does with columns that match no field or attribute. */
export const importUnknownColumns = ['refuse', 'skip', 'create'] as const;

/** Status of an import. */
export type ImportStatus = (typeof importStatuses)[number];

/** Encoding of an imported file. */
export type ImportEncoding = (typeof importEncodings)[number];

const mode = Type.Enum([...importModes], {
  default: 'upsert',
  description:
    '`upsert`: each row creates a contact, or is merged into the contact with the same identity. `create`: a row fails if its contact exists, or if it repeats an earlier row. `update`: a row fails if its contact does not exist. Default: upsert.',
});
const blankCells = Type.Enum([...importBlankCells], {
  default: 'leave',
  description:
    '`leave`: an empty cell changes nothing. `clear`: an empty cell clears the value. A cell `""` is an empty text for a text attribute. For other fields, it is an empty cell. Default: leave.',
});
const formulaGuard = Type.Enum([...importFormulaGuards], {
  default: 'auto',
  description:
    'The formula guard of exports puts an apostrophe before `=`, `+`, `-`, `@` and similar characters in CSV. `auto`: the apostrophe is removed if the file has the column `roster:formula_guard`. `remove`: it is always removed. `keep`: every cell stays as it is. Default: auto.',
});
const unknownColumns = Type.Enum([...importUnknownColumns], {
  default: 'refuse',
  description:
    'Columns that match no field or attribute. `refuse`: the import fails before it writes anything, and names the columns. `skip`: the columns are left out. `create`: each column becomes an attribute, with the narrowest data type that fits all its cells. Default: refuse.',
});
const audienceIds = (description: string) =>
  Type.Array(Type.Integer({ minimum: 1, maximum: 2_147_483_647 }), {
    maxItems: importLimits.audiences,
    description,
    examples: [[5]],
  });
const preset = Type.Enum([...importPresetIds], {
  description:
    'The program that wrote the file. Its columns get their usual meaning. `columns` takes precedence. docs/moving-in explains the presets.',
});
const optOut = (description: string) =>
  Type.Array(Type.Enum([...optOutChannels]), { maxItems: optOutChannels.length, description, examples: [['email']] });
const dryRun = (description: string) => Type.Boolean({ default: false, description });

const givenColumns = (description: string) =>
  Type.Unsafe<Record<string, GivenColumnBody>>({
    type: 'object',
    patternProperties: {
      '^.*$': {
        anyOf: [
          { type: 'string', format: 'attribute-mention' },
          { type: 'null' },
          FieldColumn,
          ListNamesColumn,
          JsonColumn,
          SkippedColumn,
        ],
      },
    },
    maxProperties: importLimits.columns,
    description,
    examples: [{ 'E-mail address': 'EMAIL', Remarks: null }],
  });

/**
 * Body of import creation. Unknown keys are refused, because a misspelled `dry_run` would write
 * contacts.
 */
export const CreateImportBody = Type.Object(
  {
    file_name: Type.Optional(
      Type.String({
        maxLength: 255,
        description: 'Name of the file, for people. Default with `source_url`: the last part of its path.',
        examples: ['customers.csv'],
      }),
    ),
    source_url: Type.Optional(
      Type.String({
        maxLength: importLimits.urlCharacters,
        description:
          'URL of the file. Roster fetches it, so you do not send it. It must begin with `https://` and must not lead to a private address, unless an operator allows the host with `ROSTER_CALLBACK_ALLOW`. Up to five redirects are followed. The query of the URL can be secret: no answer, message or log contains it.',
        examples: ['https://files.example.com/customers.csv?signature=…'],
      }),
    ),
    notify_email: Type.Optional(
      Type.String({
        maxLength: 254,
        description:
          'E-mail address that gets a mail with the counts and the first failures when the import has ended. Absent or blank: no mail is sent.',
        examples: ['asha@example.com'],
      }),
    ),
    format: Type.Optional(Type.Enum([...importFormats], { description: 'Default: detected from the file.' })),
    encoding: Type.Optional(
      Type.Enum([...importEncodings], {
        description:
          'Default: UTF-8, or UTF-16 with a byte order mark. Name any other encoding here. Windows-1252 cannot be detected, because similar encodings look the same.',
      }),
    ),
    delimiter: Type.Optional(
      Type.Unsafe<(typeof importDelimiters)[number]>({
        enum: [...importDelimiters, '\t'],
        format: 'delimiter',
        description: 'Character that separates the cells of a row. Default: detected from the first lines.',
      }),
    ),
    mode: Type.Optional(mode),
    blank_cells: Type.Optional(blankCells),
    formula_guard: Type.Optional(formulaGuard),
    audience_ids: Type.Optional(audienceIds('Lists that the contact of each row is added to.')),
    columns: Type.Optional(
      givenColumns(
        'Meaning of columns, by their headers. `"CITY"` or `{"field": "CITY"}` names a field (`IDENTITY`, `CONTACT_ID`, `EMAIL`, `MOBILE`, `CREATED_AT`, …) or an attribute. An object can have more options. Null or `{"skip": true}` leaves the column out. All other columns are found by their names.',
      ),
    ),
    preset: Type.Optional(preset),
    opt_out: Type.Optional(
      optOut(
        'Channels that every contact of the file is opted out of. Use it for files with only unsubscribed people.',
      ),
    ),
    mapping_of: Type.Optional(
      Type.String({
        format: 'uuid',
        description:
          'An earlier import of the account. `mode`, `blank_cells`, `audience_ids`, `columns`, `preset`, `opt_out` and `unknown_columns` are copied from it, unless the body has them. Encoding, delimiter, `formula_guard`, `source_url`, `notify_email` and `dry_run` are not copied, because they belong to the file.',
      }),
    ),
    unknown_columns: Type.Optional(unknownColumns),
    dry_run: Type.Optional(dryRun('True: everything is checked and counted, but nothing is written. Default: false.')),
  },
  {
    $id: 'CreateImportBody',
    description: 'How to import a file. The file itself is sent afterwards, or fetched from `source_url`.',
    'x-body': bodyLimits.columns,
    additionalProperties: false,
    'x-refuse-repeats': true,
  },
);

/** Query of listing imports. */
export const ListImportsQuery = Type.Object(
  {
    ...pageQueryProperties,
    status: Type.Optional(Type.Enum([...importStatuses], { description: 'Only imports of this status.' })),
  },
  { additionalProperties: false },
);

/** A column of an imported file and its meaning. */
export const ImportColumn = Type.Object(
  {
    header: Type.String({ description: 'Name of the column in the file.', examples: ['City'] }),
    field: Type.Union([Type.String(), Type.Null()], {
      description: 'Field or attribute of the column. Null: the column is left out.',
      examples: ['CITY'],
    }),
    is_identity: Type.Boolean({ description: 'True for the column with the identities.' }),
    data_type: Type.Union([Type.Enum([...dataTypes]), Type.Null()], {
      description: 'Data type of the attribute. Null for fields, and until it is detected.',
      examples: ['text'],
    }),
    is_new: Type.Boolean({ description: 'True when this import creates the attribute.' }),
    note: Type.Union([Type.String(), Type.Null()], {
      description: 'Why the column is left out, or another remark.',
      examples: [null],
    }),
  },
  { $id: 'ImportColumn', description: 'A column of an imported file and what it means.' },
);

const counts = Type.Object(
  {
    total: count('Rows that were applied or failed so far.', 1000),
    created: count('Created contacts.', 998),
    updated: count('Changed contacts.', 2),
    unchanged: count('Contacts that already had the values of the row.'),
    failed: count('Rows that were not applied. The file of failures contains them.'),
    warnings: count(
      'Values that were left out while the rest of the row was applied. The file of failures contains them, too.',
      1,
    ),
  },
  { description: 'total = created + updated + unchanged + failed, at any time.' },
);

const progress = Type.Object({
  percent: Type.Integer({
    minimum: 0,
    maximum: 100,
    description: '100 only when the import is completed.',
    examples: [42],
  }),
  rows_read: count('Rows that were read so far.'),
  rows_per_second: Type.Union([Type.Integer({ minimum: 0 }), Type.Null()], { examples: [25_000] }),
  seconds_left: Type.Union([Type.Integer({ minimum: 0 }), Type.Null()], {
    description: 'Estimated seconds until the end. Null while there is no estimate.',
    examples: [23],
  }),
});

/** An import as the operator API shows it. */
export const Import = Type.Object(
  {
    import_id: Type.String({ format: 'uuid', examples: ['019a9d3e-7c1b-7f3a-9b52-2f3c8b1d0a11'] }),
    status: Type.Enum([...importStatuses], {
      description:
        '`awaiting_file`: send the file. `fetching`: the file is fetched from `source_url`, or waits for the next attempt. `accepted`: waits to run. `running`: is being read and applied. `completed`: every row was applied or has failed. `failed`: `failure` says why. `cancelled`: an operator stopped it. Rows that were applied before a failure or a cancellation stay.',
      examples: ['running'],
    }),
    file_name: Type.Union([Type.String(), Type.Null()], { examples: ['customers.csv'] }),
    source_url: Type.Union([Type.String(), Type.Null()], {
      description: 'The URL that the file is fetched from, without its query. Null: the file is sent.',
      examples: [null],
    }),
    notify_email: Type.Union([Type.String(), Type.Null()], {
      description: 'The address that gets a mail when the import has ended.',
      examples: [null],
    }),
    mail_id: Type.Union([Type.String({ format: 'uuid' }), Type.Null()], {
      description: 'The mail to `notify_email`. Null until the import has ended, or without a mail.',
      examples: [null],
    }),
    file_size: Type.Union([Type.Integer({ minimum: 0 }), Type.Null()], {
      description: 'Size of the file as it was sent, in bytes. Null until the file is complete.',
      examples: [81_250],
    }),
    received_bytes: Type.Integer({
      minimum: 0,
      description: 'Bytes of the file that are stored, or fetched so far. The next part of an upload begins here.',
      examples: [81_250],
    }),
    format: Type.Union([Type.Enum([...importFormats]), Type.Null()], { examples: ['csv'] }),
    encoding: Type.Union([Type.Enum([...importEncodings]), Type.Null()], { examples: ['utf-8'] }),
    delimiter: Type.Union([Type.Enum([...importDelimiters]), Type.Null()], { examples: [','] }),
    compression: Type.Union([Type.Enum(['none', 'gzip']), Type.Null()], { examples: ['none'] }),
    mode,
    blank_cells: blankCells,
    formula_guard: formulaGuard,
    audience_ids: audienceIds('Lists that the contacts are added to.'),
    unknown_columns: unknownColumns,
    given_columns: givenColumns('`columns` of the request that created the import.'),
    preset: Type.Union([preset, Type.Null()], { examples: [null] }),
    opt_out: optOut('Channels that every contact of the file is opted out of.'),
    dry_run: dryRun('True: nothing is written.'),
    columns: Type.Array(Type.Ref('ImportColumn'), {
      description:
        'Empty until the columns are known. For CSV, they are known when the file is stored. For NDJSON, they are known after its first reading.',
    }),
    unknown_headers: Type.Array(Type.String(), {
      description: 'Columns that match no field or attribute.',
      examples: [[]],
    }),
    progress,
    counts,
    failure: Type.Union(
      [Type.Object({ code: Type.String({ examples: ['columns_unknown'] }), message: Type.String() }), Type.Null()],
      { description: 'Why the import failed. docs/errors.md lists all codes.', examples: [null] },
    ),
    created_at: Type.String({ format: 'date-time' }),
    uploaded_at: momentOrNull('When the file was complete.', exampleMoment),
    started_at: momentOrNull('When it started to run.', exampleMoment),
    finished_at: momentOrNull('When it ended.', exampleMoment),
    failures_expire_at: momentOrNull('When the file of failures is deleted. Null unless it can be downloaded.'),
  },
  { $id: 'Import', description: 'An import, its progress and its result.' },
);

/** First columns of the file of failures. The cells of the row follow. */
export const importFailureColumns = ['IMPORT_LINE', 'IMPORT_COLUMN', 'IMPORT_CODE', 'IMPORT_REASON'] as const;

export type CreateImportBody = Static<typeof CreateImportBody>;
export type ListImportsQuery = Static<typeof ListImportsQuery>;
export type ImportColumn = Static<typeof ImportColumn>;

/** An import in an answer. */
export type Import = Omit<Static<typeof Import>, 'columns'> & { readonly columns: readonly ImportColumn[] };
