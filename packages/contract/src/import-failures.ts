/** Why an import as a whole failed: `failure.code`, with what to do; `docs/errors.md` is generated from it. */
export const importFailures = {
  file_not_sent: 'No file was sent within 24 hours.',
  file_empty: 'The file is empty.',
  file_not_text:
    'The file is no text: a spreadsheet, an archive or something else. Save it as CSV, packed with gzip at most.',
  file_damaged: 'The gzip data of the file ends too early or is damaged. Send it again in a new import.',
  file_too_large: 'Unpacked, the file is larger than `ROSTER_IMPORT_UNPACKED_MB` allows. Split it.',
  encoding_unknown:
    'The file is not in the encoding that it seems to have. Save it as UTF-8, or name its encoding in `encoding`.',
  format_unsupported: 'The file is neither CSV nor NDJSON, such as a JSON array. Write one JSON object a line.',
  header_invalid:
    'The first row cannot be the names of columns: its quotes are not paired, it has more than 256 KiB or 600 columns, or a name has more than 1000 characters or one that cannot be stored. The same goes for the keys of NDJSON.',
  columns_repeated:
    'Two columns have the same name or mean the same field. Rename one, or leave it out with `columns`.',
  columns_not_found: '`columns` names a header that the file does not have, or a field that the account does not have.',
  columns_unknown:
    'Columns mean nothing to the account. Say what they mean in `columns`, or what to do with them in `unknown_columns`.',
  identity_column_missing: 'No column has what contacts are found by, such as the primary key of the account.',
  attribute_not_created: 'A column could not become an attribute: its name cannot be one, or the account has 500.',
  primary_key_changed: 'The primary key of the account was changed before the import ran.',
  file_lost: 'The file is not in the store any more.',
  storage_full: 'There is no space left for the file of failures. The rows themselves were applied.',
  internal: 'A defect of the service; its log has the cause under the import_id.',
} as const;

/** Why an import as a whole failed. */
export type ImportFailureCode = keyof typeof importFailures;

/**
 * Why a row of a file was not applied, or not wholly, as far as that shows before it becomes an item of a request: `IMPORT_CODE` in the
 * file of failures. Further codes there are those of faults and of failures of items.
 */
export const importRowFailures = {
  row_cells: { warning: false, message: 'The row has more or fewer cells than there are columns.' },
  row_quotes: {
    warning: false,
    message:
      'The quotes of the row are not paired. A quote inside a cell is written twice, and the cell stands in quotes. The lines behind were read as rows of their own.',
  },
  row_too_large: { warning: false, message: 'The row has more than 2 MiB.' },
  row_no_object: { warning: false, message: 'The line is no JSON object.' },
  identity_blank: { warning: false, message: 'The cell that the contact is found by is empty.' },
  contact_unconfirmed: {
    warning: false,
    message: 'The contact has not confirmed its sign-up where it comes from; an import would skip that.',
  },
  value_masked: {
    warning: true,
    message: 'The value is the mask of an export without the scope unmasked; it was left out.',
  },
} as const satisfies Record<string, { readonly warning: boolean; readonly message: string }>;

/** Why a row of a file was not applied, or not wholly. */
export type ImportRowFailureCode = keyof typeof importRowFailures;
