import { pageAnswer } from '../../shapes/common/paging.ts';
import { ListImportFailuresQuery } from '../../shapes/service/import-failures.ts';
import { Import } from '../../shapes/service/imports.ts';
import { operation, type MediaTypeDocs } from '../definition/operation.ts';
import { requestFailures } from '../definition/request-failures.ts';

const text = { type: 'string' } as const;

/**
 * Example files of imports. The service detects the format from the file, not from the media type.
 */
const fileBodies: Readonly<Record<string, MediaTypeDocs>> = {
  'text/csv': { schema: text, example: 'EMAIL,FIRST_NAME,CITY\r\nasha@example.com,Asha,Pune\r\n' },
  'application/x-ndjson': {
    schema: text,
    example:
      '{"email":"asha@example.com","FIRST_NAME":"Asha"}\n{"identity":"ravi@example.com","attributes":{"CITY":"Pune"}}\n',
  },
};

/** An example of a file of failures. */
const failuresBody: Readonly<Record<string, MediaTypeDocs>> = {
  'text/csv': {
    schema: text,
    example:
      'IMPORT_LINE,IMPORT_COLUMN,IMPORT_CODE,IMPORT_REASON,EMAIL,CITY\r\n7,EMAIL,invalid_format,"The value must be an e-mail address of at most 254 characters, such as asha@example.com",asha,Pune\r\n',
  },
};

/** Sending the file of an import, and getting the rows that failed. */
export const importFileOperations = {
  sendImportFile: operation({
    generation: 'operator',
    method: 'PUT',
    path: '/admin/v1/accounts/{account_id}/imports/{import_id}/file',
    permission: 'imports:write',
    repeat: 'harmless',
    tag: 'Imports',
    summary: 'Send the file of an import',
    description: [
      'The body is the file, in CSV or NDJSON. It is in UTF-8, in UTF-16 with a byte order mark, or in the `encoding` of the import. It can be compressed with gzip, with or without `Content-Encoding`. The `Content-Type` does not matter. The file is streamed. `ROSTER_IMPORT_FILE_MB` limits its size.',
      'You can send a file in parts, so that a broken upload can continue after the last part. Each part has a `Content-Range`, such as `bytes 0-8388607/20000000`, or `bytes 0-8388607/*` if the size is not known yet. A part must begin at `received_bytes` of the import. All parts that state the size of the file must state the same size. Otherwise the answer is 409. The last part starts the import. With `Content-Digest: sha-256=:…:`, the service checks the received bytes.',
      'The answer says whether the import can run. `status` is `accepted`, or `failed` if the beginning of the file is not valid. A broken upload stores nothing, and you can repeat it. A stored file cannot be replaced.',
      'The rows become requests of the account, up to 1000 rows each. They are applied in order with its other requests, and can fail for the same reasons.',
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
      'storage_quota',
      'storage_full',
      'too_many_large_bodies',
    ],
  }),

  getImportFailures: operation({
    generation: 'operator',
    method: 'GET',
    path: '/admin/v1/accounts/{account_id}/imports/{import_id}/failures',
    permission: 'imports:write',
    repeat: 'harmless',
    tag: 'Imports',
    summary: 'Get the rows that failed',
    description: [
      'Returns a CSV file (RFC 4180, UTF-8) when the import has ended. It contains the rows that were not applied, and the rows with a value that was left out. Each row has the line in the imported file, the column, the reason code and the reason. Then come the cells of the row, so that you can fix the file and import it again. A row with several reasons appears several times. Without failures, the file contains only the header.',
      'Values of masked attributes are masked, unless the caller has the permission `unmasked`. An import leaves masked values out.',
      'The file is kept for `ROSTER_IMPORT_FAILURES_DAYS` days.',
    ].join('\n\n'),
    answerBodies: failuresBody,
    errors: ['conflict', 'failures_expired', 'failures_missing', 'storage_unavailable'],
  }),

  listImportFailures: operation({
    generation: 'operator',
    method: 'GET',
    path: '/admin/v1/accounts/{account_id}/imports/{import_id}/failures/rows',
    permission: 'imports:write',
    repeat: 'harmless',
    tag: 'Imports',
    summary: 'List the rows that failed',
    description:
      'Lists the rows of the file of failures, in the order of the imported file. A row with several reasons appears several times. A page ends early when its rows have more than 1 MiB.',
    query: ListImportFailuresQuery,
    answer: pageAnswer('ImportFailureRow'),
    errors: ['conflict', 'failures_expired', 'failures_missing', 'storage_unavailable'],
  }),
};
