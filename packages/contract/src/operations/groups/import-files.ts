import { Import } from '../../shapes/service/imports.ts';
import { operation, type MediaTypeDocs } from '../definition/operation.ts';
import { requestFailures } from '../definition/request-failures.ts';

const text = { type: 'string' } as const;

/** The file of an import, by media type; the service looks into the file, and not at the type. */
const fileBodies: Readonly<Record<string, MediaTypeDocs>> = {
  'text/csv': { schema: text, example: 'EMAIL,FIRST_NAME,CITY\r\nasha@example.com,Asha,Pune\r\n' },
  'application/x-ndjson': {
    schema: text,
    example:
      '{"email":"asha@example.com","FIRST_NAME":"Asha"}\n{"identity":"ravi@example.com","attributes":{"CITY":"Pune"}}\n',
  },
};

/** The file of failures. */
const failuresBody: Readonly<Record<string, MediaTypeDocs>> = {
  'text/csv': {
    schema: text,
    example:
      'IMPORT_LINE,IMPORT_COLUMN,IMPORT_CODE,IMPORT_REASON,EMAIL,CITY\r\n7,EMAIL,invalid_format,"The value must be an e-mail address of at most 254 characters, such as asha@example.com",asha,Pune\r\n',
  },
};

/** The files of imports, and of the rows that failed. */
export const importFileOperations = {
  sendImportFile: operation({
    generation: 'operator',
    method: 'PUT',
    path: '/admin/v1/accounts/{account_id}/imports/{import_id}/file',
    repeat: 'harmless',
    tag: 'Imports',
    summary: 'Send the file of an import',
    description: [
      'The body is the file: CSV or NDJSON, in UTF-8, in UTF-16 with a byte order mark, or in the `encoding` that the import names; it may be packed with gzip, with or without `Content-Encoding`. Its `Content-Type` does not matter. It is streamed, and may have as many bytes as `ROSTER_IMPORT_FILE_MB` allows.',
      'A file can be sent in parts, so that an upload that breaks off goes on behind the last part: each part has a `Content-Range`, such as `bytes 0-8388607/20000000`, or `bytes 0-8388607/*` while the size is not known. A part must begin at `received_bytes` of the import, and all parts that state the size of the file must state the same one, else the answer is 409. The part that ends the file begins the import. `Content-Digest: sha-256=:…:` makes the service check what arrived.',
      'The answer says whether the import can run: `accepted`, or `failed` when the beginning of the file tells that it cannot. An upload that breaks off leaves nothing, and can be repeated; a file that was taken cannot be replaced.',
      'Rows become requests of the account, a thousand each, among its other requests, and fail for the same reasons.',
    ].join('\n\n'),
    rawBodies: fileBodies,
    answer: Import,
    failures: [...new Set([...requestFailures['contact.create'], ...requestFailures['contact.update']])],
    errors: [
      'conflict',
      'malformed_request',
      'unsupported_content_encoding',
      'file_too_large',
      'storage_unavailable',
      'storage_full',
    ],
  }),

  getImportFailures: operation({
    generation: 'operator',
    method: 'GET',
    path: '/admin/v1/accounts/{account_id}/imports/{import_id}/failures',
    repeat: 'harmless',
    tag: 'Imports',
    summary: 'Get the rows that failed',
    description: [
      'A CSV file (RFC 4180, UTF-8) of the rows that were not applied, and of those of which a value was left out, once the import has ended: the line of the imported file, the column, the reason code and the reason, and then the cells of the row, so that the file can be mended and imported again. A row with several reasons stands there several times. Without failures it has the header alone.',
      'It is kept for `ROSTER_IMPORT_FAILURES_DAYS` days.',
    ].join('\n\n'),
    answerBodies: failuresBody,
    errors: ['conflict', 'failures_expired', 'failures_missing', 'storage_unavailable'],
  }),
};
