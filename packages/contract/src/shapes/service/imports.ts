import { Type, type Static } from 'typebox';
import { bodyLimits } from '../common/body-limits.ts';
import { dataTypes } from '../contacts/attributes.ts';
import { pageQueryProperties } from '../common/paging.ts';
import { exampleMoment } from '../common/examples.ts';

/** Limits of a file import. */
export const importLimits = {
  /** Columns of a file. */
  columns: 600,
  /** Characters of the name of a column. */
  headerCharacters: 1000,
  /** Lists that the contacts of a file are added to. */
  audiences: 100,
  /** Hours for which an import waits for its file. */
  fileHours: 24,
} as const;

/** What becomes of an import: it waits for its file, waits to run, runs, is done, could not be done, or was stopped by an operator. */
export const importStatuses = ['awaiting_file', 'accepted', 'running', 'completed', 'failed', 'cancelled'] as const;

/** Formats of files that are imported. */
export const importFormats = ['csv', 'ndjson'] as const;

/** Encodings of files that are imported. */
export const importEncodings = ['utf-8', 'utf-16le', 'utf-16be', 'windows-1252'] as const;

/** Characters that separate the cells of a row; `tab` is another name of the tabulator. */
export const importDelimiters = [',', ';', '|', 'tab'] as const;

/** What a row does: create or change a contact, create one that does not exist, or change one that does. */
export const importModes = ['upsert', 'create', 'update'] as const;

/** What an empty cell means: the value stays as it is, or is cleared. */
export const importBlankCells = ['leave', 'clear'] as const;

/** The apostrophe of the formula guard in the cells of CSV: taken off where the file says so, always, or never. */
export const importFormulaGuards = ['auto', 'remove', 'keep'] as const;

/** What an import does with the apostrophe of the formula guard. */
export type ImportFormulaGuard = (typeof importFormulaGuards)[number];

/** What becomes of columns that mean nothing to the account. */
export const importUnknownColumns = ['refuse', 'skip', 'create'] as const;

/** Status of an import. */
export type ImportStatus = (typeof importStatuses)[number];

/** Encoding of a file that is imported. */
export type ImportEncoding = (typeof importEncodings)[number];

/** What a given column means: a field or attribute by name, in upper case, or null: it is skipped. */
export type GivenColumn = string | null;

const mode = Type.Enum([...importModes], {
  default: 'upsert',
  description:
    '`upsert`: each row creates a contact, or is merged into the one that has its identity. `create`: a row whose contact exists fails, and so does one that repeats another. `update`: a row whose contact does not exist fails. Default: upsert.',
});
const blankCells = Type.Enum([...importBlankCells], {
  default: 'leave',
  description:
    '`leave`: an empty cell changes nothing. `clear`: it clears the value. A cell `""` is an empty text for a text attribute, and an empty cell elsewhere. Default: leave.',
});
const formulaGuard = Type.Enum([...importFormulaGuards], {
  default: 'auto',
  description:
    'The apostrophe that the formula guard puts before `=`, `+`, `-`, `@` and the like in CSV. `auto`: it is taken off in files that Roster wrote with the guard; they have the column `roster:formula_guard`. `remove`: it is taken off. `keep`: every cell stays as it is. Default: auto.',
});
const unknownColumns = Type.Enum([...importUnknownColumns], {
  default: 'refuse',
  description:
    '`refuse`: the import fails before anything is written, and names the columns. `skip`: they are left out. `create`: they become attributes, of the narrowest data type that all their cells fit. Default: refuse.',
});
const audienceIds = (description: string) =>
  Type.Array(Type.Integer({ minimum: 1, maximum: 2_147_483_647 }), {
    maxItems: importLimits.audiences,
    description,
    examples: [[5]],
  });
const dryRun = (description: string) => Type.Boolean({ default: false, description });

const givenColumns = Type.Unsafe<Record<string, GivenColumn>>({
  type: 'object',
  patternProperties: {
    '^.*$': {
      anyOf: [
        { type: 'string' },
        { type: 'null' },
        { type: 'object', properties: { field: { type: 'string' } }, required: ['field'] },
        { type: 'object', properties: { skip: { const: true } }, required: ['skip'] },
      ],
      format: 'import-column',
    },
  },
  maxProperties: importLimits.columns,
  description:
    'What columns mean, by their headers: `"CITY"` or `{"field": "CITY"}`, a field (`IDENTITY`, `CONTACT_ID`, `EMAIL`, `MOBILE`, …) or an attribute; null or `{"skip": true}`: the column is left out. Other columns are found by their names.',
  examples: [{ 'E-mail address': 'EMAIL', Remarks: null }],
});

/** Body of a new import. Unknown keys are refused: a misspelt `dry_run` would write. */
export const CreateImportBody = Type.Object(
  {
    file_name: Type.Optional(
      Type.String({ maxLength: 255, description: 'Name of the file, for people.', examples: ['customers.csv'] }),
    ),
    format: Type.Optional(Type.Enum([...importFormats], { description: 'Default: what the file looks like.' })),
    encoding: Type.Optional(
      Type.Enum([...importEncodings], {
        description:
          'Default: UTF-8, or UTF-16 with a byte order mark. A file in another encoding is refused: nobody can tell Windows-1252 from its relatives, so it has to be named here.',
      }),
    ),
    delimiter: Type.Optional(
      Type.Unsafe<(typeof importDelimiters)[number]>({
        enum: [...importDelimiters, '\t'],
        format: 'delimiter',
        description: 'What separates the cells of a row. Default: what the first lines look like.',
      }),
    ),
    mode: Type.Optional(mode),
    blank_cells: Type.Optional(blankCells),
    formula_guard: Type.Optional(formulaGuard),
    audience_ids: Type.Optional(audienceIds('Lists that the contact of each row is added to.')),
    columns: Type.Optional(givenColumns),
    unknown_columns: Type.Optional(unknownColumns),
    dry_run: Type.Optional(
      dryRun('True: everything is checked and counted as if, and nothing is written. Default: false.'),
    ),
  },
  {
    $id: 'CreateImportBody',
    description: 'How to import a file. The file itself is sent afterwards.',
    'x-body': bodyLimits.columns,
    additionalProperties: false,
    'x-refuse-repeats': true,
  },
);

/** Query of the listing of imports. */
export const ListImportsQuery = Type.Object(
  {
    ...pageQueryProperties,
    status: Type.Optional(Type.Enum([...importStatuses], { description: 'Only imports of this status.' })),
  },
  { additionalProperties: false },
);

/** A column of the file of an import, as it was understood. */
export const ImportColumn = Type.Object(
  {
    header: Type.String({ description: 'As it stands in the file.', examples: ['City'] }),
    field: Type.Union([Type.String(), Type.Null()], {
      description: 'The field or attribute that it is written to; null: the column is left out.',
      examples: ['CITY'],
    }),
    is_identity: Type.Boolean({ description: 'True for the column that has the identities.' }),
    data_type: Type.Union([Type.Enum([...dataTypes]), Type.Null()], {
      description: 'Data type of the attribute; null for fields, and until it is inferred.',
      examples: ['text'],
    }),
    is_new: Type.Boolean({ description: 'True when the attribute is created by this import.' }),
    note: Type.Union([Type.String(), Type.Null()], {
      description: 'Why a column is left out, or what is special about it.',
      examples: [null],
    }),
  },
  { $id: 'ImportColumn', description: 'A column of an imported file and what it means.' },
);

const count = (description: string, example = 0) => Type.Integer({ minimum: 0, description, examples: [example] });

const counts = Type.Object(
  {
    total: count('Rows of the file so far: those that were applied, or failed.', 1000),
    created: count('Contacts that were created.', 998),
    updated: count('Contacts that were changed.', 2),
    unchanged: count('Contacts that were as the row wanted them.'),
    failed: count('Rows that were not applied; the file of failures has them.'),
    warnings: count('Values that were left out while the rest of their row was applied; that file has them, too.', 1),
  },
  { description: 'total = created + updated + unchanged + failed, at any time.' },
);

const progress = Type.Object({
  percent: Type.Integer({ minimum: 0, maximum: 100, description: '100 only when it is completed.', examples: [42] }),
  rows_read: count('Rows of the file that were read so far.'),
  rows_per_second: Type.Union([Type.Integer({ minimum: 0 }), Type.Null()], { examples: [25_000] }),
  seconds_left: Type.Union([Type.Integer({ minimum: 0 }), Type.Null()], {
    description: 'Expected; null while nobody can tell.',
    examples: [23],
  }),
});

const moment = (description: string, example: string | null = exampleMoment) =>
  Type.Union([Type.String({ format: 'date-time' }), Type.Null()], { description, examples: [example] });

/** An import as the operator API shows it. */
export const Import = Type.Object(
  {
    import_id: Type.String({ format: 'uuid', examples: ['019a9d3e-7c1b-7f3a-9b52-2f3c8b1d0a11'] }),
    status: Type.Enum([...importStatuses], {
      description:
        '`awaiting_file`: send the file. `accepted`: waits to run. `running`: is being read and applied. `completed`: every row was applied or has failed. `failed`: `failure` says why; rows that were applied before stay. `cancelled`: stopped by an operator; rows that were applied before stay.',
      examples: ['running'],
    }),
    file_name: Type.Union([Type.String(), Type.Null()], { examples: ['customers.csv'] }),
    file_size: Type.Union([Type.Integer({ minimum: 0 }), Type.Null()], {
      description: 'Bytes, as they were sent; null until the file is there.',
      examples: [81_250],
    }),
    received_bytes: Type.Integer({
      minimum: 0,
      description: 'Bytes of the file that are stored. An upload in parts goes on behind them.',
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
    dry_run: dryRun('True: nothing is written.'),
    columns: Type.Array(Type.Ref('ImportColumn'), {
      description: 'Empty until the columns are known: of CSV with the file, of NDJSON after its first reading.',
    }),
    unknown_headers: Type.Array(Type.String(), {
      description: 'Columns that mean nothing to the account.',
      examples: [[]],
    }),
    progress,
    counts,
    failure: Type.Union(
      [Type.Object({ code: Type.String({ examples: ['columns_unknown'] }), message: Type.String() }), Type.Null()],
      { description: 'Why the import as a whole failed; docs/errors.md lists the codes.', examples: [null] },
    ),
    created_at: Type.String({ format: 'date-time' }),
    uploaded_at: moment('When the file was there.'),
    started_at: moment('When it began to run.'),
    finished_at: moment('When it ended.'),
    failures_expire_at: moment('When the file of failures is deleted; null unless it can be downloaded.', null),
  },
  { $id: 'Import', description: 'An import, its progress and its result.' },
);

/** First columns of the file of failures; the cells of the row follow. */
export const importFailureColumns = ['IMPORT_LINE', 'IMPORT_COLUMN', 'IMPORT_CODE', 'IMPORT_REASON'] as const;

export type CreateImportBody = Static<typeof CreateImportBody>;
export type ListImportsQuery = Static<typeof ListImportsQuery>;
export type ImportColumn = Static<typeof ImportColumn>;

/** An import as it is answered. */
export type Import = Omit<Static<typeof Import>, 'columns'> & { readonly columns: readonly ImportColumn[] };
