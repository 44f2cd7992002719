import type { Examples } from '#platform/http/openapi/operation-docs.ts';
import type { MediaType } from '#platform/http/openapi/document.ts';

/** Bodies of new imports for the documentation; each is accepted by an account with the list 1. */
export const importExamples: Examples = {
  list: {
    summary: 'Contacts into a list',
    value: { file_name: 'customers.csv', audience_ids: [1] },
  },
  mapped: {
    summary: 'Columns by hand, and a rehearsal first',
    value: {
      file_name: 'crm.csv',
      mode: 'update',
      blank_cells: 'clear',
      columns: { 'E-mail address': 'EMAIL', Remarks: null },
      unknown_columns: 'create',
      dry_run: true,
    },
  },
  shortest: { summary: 'Everything found by itself', value: {} },
};

const text = { type: 'string' } as const;

/** The file of an import, by media type; the service looks into the file, and not at the type. */
export const fileBodies: Readonly<Record<string, MediaType>> = {
  'text/csv': { schema: text, example: 'EMAIL,FIRST_NAME,CITY\r\nasha@example.com,Asha,Pune\r\n' },
  'application/x-ndjson': {
    schema: text,
    example:
      '{"email":"asha@example.com","FIRST_NAME":"Asha"}\n{"identity":"ravi@example.com","attributes":{"CITY":"Pune"}}\n',
  },
};

/** The file of failures. */
export const failuresBody: Readonly<Record<string, MediaType>> = {
  'text/csv': {
    schema: text,
    example:
      'IMPORT_LINE,IMPORT_COLUMN,IMPORT_CODE,IMPORT_REASON,EMAIL,CITY\r\n7,EMAIL,invalid_format,"The value must be an e-mail address of at most 254 characters, such as asha@example.com",asha,Pune\r\n',
  },
};
