import { expect, test } from 'vitest';
import { writeMail } from '../mail-templates.ts';
import type { ImportFinished } from './import-finished.ts';

const finished: ImportFinished = {
  importId: '019a9d3e-7c1b-7f3a-9b52-2f3c8b1d0a11',
  status: 'completed',
  isDryRun: false,
  fileName: 'customers.csv',
  sourceUrl: 'https://files.example.com/customers.csv',
  lists: ['Friends <2026> (7)'],
  counts: { total: 1000, created: 900, updated: 60, unchanged: 40, failed: 0, warnings: 0 },
  skippedColumns: [],
  failure: undefined,
  failures: [],
  accountName: 'Acme India',
};

test('the mail about a successful import has its counts', () => {
  const { subject, text, html } = writeMail('import_finished', finished);
  expect(subject).toBe('The import of “customers.csv” is done');
  expect(text).toBe(`The import of “customers.csv” is done

Account: Acme India
File: customers.csv
Fetched from: https://files.example.com/customers.csv
Lists: Friends <2026> (7)
Import: 019a9d3e-7c1b-7f3a-9b52-2f3c8b1d0a11
Rows: 1,000
Created: 900
Updated: 60
Unchanged: 40
Failed: 0

You get this mail because the request for this import contains your address.
`);
  expect(html).toContain('Friends &lt;2026&gt; (7)');
});

test('the mail about an import shows the first failures, and says that there are more', () => {
  const failures = Array.from({ length: 50 }, (_, at) => ({
    line: at + 2,
    column: at === 0 ? null : 'EMAIL',
    code: 'row_cells',
    message: 'The row has more or fewer cells.',
  }));
  const counts = { ...finished.counts, failed: 60, warnings: 2 };
  const skippedColumns = Array.from({ length: 32 }, (_, at) => `C${at}`);
  const { subject, text } = writeMail('import_finished', { ...finished, counts, failures, skippedColumns });
  expect(subject).toBe('The import of “customers.csv” is done, but some rows failed');
  expect(text).toContain('Values left out: 2\n');
  expect(text).toContain('C29 and 2 more\n');
  expect(text).toContain('Line 2: The row has more or fewer cells. (row_cells)\n');
  expect(text).toContain(
    'Line 51: EMAIL: The row has more or fewer cells. (row_cells)\n\nThe file of failures of the import',
  );
});

test('the mail about an import that failed has the reason', () => {
  const failure = { code: 'source_status', message: 'https://files.example.com/a.csv: the server returned 404.' };
  const { subject, text } = writeMail('import_finished', {
    ...finished,
    status: 'failed',
    failure,
    fileName: undefined,
  });
  expect(subject).toBe('The import of a file failed');
  expect(text).toContain('Reason: https://files.example.com/a.csv: the server returned 404. (source_status)\n');
});
