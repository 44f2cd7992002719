/**
 * Every `failure.code` of an import that failed, with what to do. `docs/errors.md` is generated
 * from this table.
 */
export const importFailures = {
  file_not_sent: 'No file was sent within 24 hours.',
  file_empty: 'The file is empty.',
  file_not_text:
    'The file is not text. It may be a spreadsheet or an archive. Save it as CSV. You can compress it with gzip.',
  file_damaged: 'The gzip data of the file ends too early or is damaged. Send the file again in a new import.',
  file_too_large:
    'The uncompressed file is larger than `ROSTER_IMPORT_UNPACKED_MB` allows, or a fetched file is larger than `ROSTER_IMPORT_FILE_MB` allows. Split it.',
  source_refused:
    'The host of `source_url` or of a redirect is not allowed: its address is not public, or it uses plain HTTP. An operator can allow the host with `ROSTER_CALLBACK_ALLOW`.',
  source_status:
    'The server of `source_url` did not return the file: its status is not 200, or it redirected too often. Check that the URL works without a sign-in and has not expired.',
  source_unreachable:
    'The server of `source_url` could not be reached, did not respond in time, or the connection broke, in every attempt. Check the URL and the server. Then create another import.',
  encoding_unknown:
    'The encoding of the file is not the expected one. Save it as UTF-8, or name its encoding in `encoding`.',
  format_unsupported:
    'The file is neither CSV nor NDJSON. It may be a JSON array: write one JSON object on each line instead.',
  header_invalid:
    'The first row is not a valid header. Its quotes are not paired, it has more than 256 KiB or 600 columns, or the name of a column is not valid. A name can have up to 1000 characters, and must not contain U+0000 or half of a surrogate pair. Keys of NDJSON have the same limits.',
  columns_repeated:
    'Two columns have the same name or mean the same field. Rename one in the file, or leave it out with `columns`. Columns with exactly the same name are left out together.',
  columns_not_found: '`columns` names a header that the file does not have, or a field that the account does not have.',
  columns_unknown:
    'The account has no field or attribute for some columns. Map them to fields in `columns`, or say in `unknown_columns` what to do with them.',
  identity_column_missing:
    'No column identifies the contact of a row. Add a column with the primary key of the account.',
  attribute_not_created:
    'No attribute could be created for a column. Its name is not a valid name of an attribute, or the account already has 500 attributes.',
  lists_not_created:
    'The cells with names of lists have more than 500 different names, or the account would have more than 100,000 lists. Map this column to a text attribute instead.',
  primary_key_changed: 'The primary key of the account was changed before the import ran. Import the file again.',
  file_lost: 'The file is no longer in the file store. Send it again in a new import.',
  storage_full:
    'The file store has no space left for the file of failures. Valid rows are not affected. Or it has no space for the file that `source_url` names. Then nothing was imported.',
  storage_quota:
    'The account would store more files than `ROSTER_FILES_PER_ACCOUNT_MB` allows. If it was the file of failures, valid rows are not affected. If it was the file that `source_url` names, nothing was imported.',
  storage_unavailable:
    'The file store failed in every attempt. `roster doctor` says why. Then import the file again: rows that were applied do not change.',
  internal: 'An internal error occurred. Search the log for the import_id.',
} as const;

/** Code of the reason why an import failed. */
export type ImportFailureCode = keyof typeof importFailures;

/**
 * Reasons why a row of a file was not applied, or only in part, that are found before the row
 * becomes an item of a request.
 *
 * The column `IMPORT_CODE` of the file of failures has these codes, the codes of faults and the
 * codes of failed items.
 */
export const importRowFailures = {
  row_cells: { warning: false, message: 'The row has more or fewer cells than the first row.' },
  row_quotes: {
    warning: false,
    message:
      'The quotes of the row are not paired. Write a quote inside a cell twice, and put the cell in quotes. The lines after it were read as separate rows.',
  },
  row_too_large: { warning: false, message: 'The row has more than 2 MiB.' },
  row_no_object: { warning: false, message: 'The line is not a JSON object.' },
  row_names_repeated: {
    warning: false,
    message: 'Two names of the line have the same meaning, such as `email` and `EMAIL`. Leave one of them out.',
  },
  row_attributes: { warning: false, message: '`attributes` of the line is not an object, such as {"CITY": "Pune"}.' },
  identity_blank: { warning: false, message: 'The cell with the identity of the contact is empty.' },
  contact_unconfirmed: {
    warning: false,
    message: 'The contact has not confirmed its sign-up. An import cannot confirm it.',
  },
  row_json: { warning: false, message: 'The cell is not a JSON object, such as {"city": "Pune"}.' },
  opt_out_unknown: {
    warning: false,
    message: 'The meaning of this opt-out state is not known. Map it in `values` of the column.',
  },
  sign_up_date_invalid: {
    warning: false,
    message: 'The sign-up date is in the future, or it does not have the date format of the column.',
  },
  date_format_mismatch: {
    warning: true,
    message: 'The date does not have the date format of the column. It was left out.',
  },
  number_format_mismatch: {
    warning: true,
    message: 'The number does not have the number format of the column. It was left out.',
  },
  list_name_invalid: {
    warning: true,
    message:
      'The name of a list has more than 255 characters, or is neither a text nor a number. The contact was not added to this list.',
  },
  value_masked: {
    warning: true,
    message: 'The value comes from an export without the scope unmasked, so it is masked. It was left out.',
  },
} as const satisfies Record<string, { readonly warning: boolean; readonly message: string }>;

/** Code of the reason why a row was not applied, or only in part. */
export type ImportRowFailureCode = keyof typeof importRowFailures;
