import { Type, type Static } from 'typebox';
import { bodyLimits } from '../common/body-limits.ts';
import { filterProperties } from '../contacts/search.ts';
import { callbackLimits, callbackMethods } from '../service/deliveries.ts';
import { audienceId, blocklistTypes, exportColumns } from '../service/exports.ts';

/** The filter of an export. */
export const ExportFilter = Type.Object(filterProperties, {
  $id: 'ExportFilter',
  description: 'A filter of contact search. An empty object selects all contacts.',
  additionalProperties: false,
});

const callbackHeader = Type.Object(
  {
    name: Type.String({ minLength: 1, examples: ['X-Token'] }),
    value: Type.String({ 'x-keep-space': true, examples: ['secret'] }),
  },
  { additionalProperties: false, description: 'One header.' },
);

/** The callback of an export. */
export const exportCallback = Type.Object(
  {
    method: Type.Optional(Type.Enum([...callbackMethods], { default: 'POST', description: 'Default: POST.' })),
    url: Type.String({
      minLength: 1,
      maxLength: callbackLimits.urlLength,
      description: 'HTTPS URL. An operator can allow plain HTTP and internal addresses.',
      examples: ['https://hooks.example.com/exports'],
    }),
    headers: Type.Optional(
      Type.Array(callbackHeader, {
        maxItems: callbackLimits.headers,
        description: 'Headers of the callback. No answer shows them, because they can be secrets.',
      }),
    ),
    body: Type.Optional(
      Type.Unsafe<Record<string, unknown>>({
        type: 'object',
        format: 'json-object',
        description: 'Any object. The callback sends it back as `callbackBody`. Default: `{}`.',
        examples: [{ job: 'nightly' }],
      }),
    ),
  },
  { additionalProperties: false, description: 'The callback that is sent when the export has ended.' },
);

/** The contacts of an export: an audience or a filter. */
export const exportSource = {
  audience_type: Type.Optional(
    Type.Enum(['list', 'segment'], { description: 'Together with `audience_id`, and without `filter`.' }),
  ),
  audience_id: Type.Optional(audienceId),
  filter: Type.Optional(
    Type.Object(filterProperties, {
      additionalProperties: false,
      description: 'A filter of contact search, instead of an audience. `{}` selects all contacts.',
    }),
  ),
};

/** The content of the file of an export. */
export const exportContent = {
  attributes: Type.Optional(exportColumns),
  blocklist_type: Type.Optional(
    Type.Enum([...blocklistTypes], {
      description:
        'Leaves out contacts that opted out. `email`: contacts that opted out of e-mail. `mobile`: contacts that opted out of SMS or WhatsApp. Both also leave out contacts that were blacklisted without an opt-out. Absent: no contact is left out.',
    }),
  ),
  unmasked: Type.Optional(
    Type.Boolean({
      default: false,
      description:
        'True: the file has the values of masked attributes. The caller needs the permission `unmasked`. Default: false.',
    }),
  ),
};

/** How an export is delivered. */
export const exportDelivery = {
  compression: Type.Optional(
    Type.Enum(['none', 'gzip'], { default: 'none', description: '`gzip`: the file is a `.csv.gz`. Default: none.' }),
  ),
  notify_email: Type.Optional(
    Type.String({
      maxLength: 254,
      description: 'E-mail address that gets a mail when the export has ended.',
      examples: ['asha@example.com'],
    }),
  ),
  callback: Type.Optional(exportCallback),
};

/** Body of export creation. */
export const CreateExportBody = Type.Object(
  { ...exportSource, ...exportContent, ...exportDelivery },
  {
    $id: 'CreateExportBody',
    description: 'Contacts to export to a file: those of an audience, or those that match a filter.',
    'x-body': bodyLimits.filter,
    additionalProperties: false,
    'x-refuse-repeats': true,
  },
);

/** Body of export preview. */
export const PreviewExportBody = Type.Object(
  {
    ...exportSource,
    ...exportContent,
    get_count: Type.Optional(
      Type.Boolean({
        default: false,
        description:
          'True: `rows_total` is exact. Counting many contacts can take as long as a search. Default: false.',
      }),
    ),
  },
  {
    $id: 'PreviewExportBody',
    description: 'The contacts and columns of an export.',
    'x-body': bodyLimits.filter,
    additionalProperties: false,
    'x-refuse-repeats': true,
  },
);

/** Number of rows of a preview. */
export const previewRows = 10;

/** The first rows of a file that an export would write. */
export const ExportPreview = Type.Object(
  {
    columns: Type.Array(Type.String(), {
      description:
        'The header row of the file. With the formula guard of the account, the last column is `roster:formula_guard`.',
      examples: [['EMAIL', 'CITY']],
    }),
    rows: Type.Array(Type.Array(Type.String()), {
      description: `The first ${previewRows} rows, as the file would have them. A missing value is an empty text.`,
      examples: [[['asha@example.com', 'Pune']]],
    }),
    rows_total: Type.Integer({ minimum: 0, description: 'Number of rows of the file.', examples: [1250] }),
    is_estimate: Type.Boolean({
      description: 'True: `rows_total` is an estimate. Send `get_count` to get the exact number.',
    }),
  },
  { $id: 'ExportPreview', description: 'The first rows of a file that an export would write.' },
);

export type ExportFilter = Static<typeof ExportFilter>;
/** Body of export creation, after reading. */
export type CreateExportBody = Static<typeof CreateExportBody>;
export type PreviewExportBody = Static<typeof PreviewExportBody>;
export type ExportPreview = Static<typeof ExportPreview>;
