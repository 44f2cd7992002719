import { expect, test } from 'vitest';
import { writeMail } from '../mail-templates.ts';
import type { BatchAddFinished } from './batch-add-finished.ts';

const finished: BatchAddFinished = {
  report: {
    job_id: '019a9d3e-7c1b-7f3a-9b52-2f3c8b1d0a11',
    status: 'completed',
    listid: 7,
    total: 1000,
    created: 900,
    updated: 100,
    failed: 0,
    errors: [],
  },
  listName: 'Friends <2026>',
  accountName: 'Acme India',
};

test('the mail about a successful batch add has its counts', () => {
  const { subject, text, html } = writeMail('batch_add_finished', finished);
  expect(subject).toBe('The batch for the list “Friends <2026>” is done');
  expect(text).toBe(`The batch for the list “Friends <2026>” is done

Account: Acme India
List: Friends <2026> (7)
Job: 019a9d3e-7c1b-7f3a-9b52-2f3c8b1d0a11
Contacts: 1,000
Created: 900
Updated: 100
Failed: 0

You get this mail because the request for this batch contains your address.
`);
  expect(html).toContain('Friends &lt;2026&gt; (7)');
});

test('the mail about a batch add lists the first 50 errors, and shows only the number of a deleted list', () => {
  const errors = Array.from({ length: 60 }, (_, index) => ({ index, code: 'identity_missing', message: 'No key.' }));
  const { subject, text } = writeMail('batch_add_finished', {
    ...finished,
    listName: undefined,
    report: { ...finished.report, created: 840, failed: 60, errors },
  });
  expect(subject).toBe('The batch for the list 7 is done, but some contacts failed');
  expect(text).toContain('List: 7\n');
  expect(text).toContain('Contact 0: No key. (identity_missing)\n');
  expect(text).toContain('Contact 49: No key. (identity_missing)\n\nThe callback contains 10 more errors.');
  expect(text).not.toContain('Contact 50');
});

test('the mail about a batch add does not report failed contacts if only values were skipped', () => {
  const errors = [{ index: 3, code: 'attribute_unknown', message: 'CITY: The value was left out.' }];
  const { subject, text } = writeMail('batch_add_finished', { ...finished, report: { ...finished.report, errors } });
  expect(subject).toBe('The batch for the list “Friends <2026>” is done');
  expect(text).toContain('Contact 3: CITY: The value was left out. (attribute_unknown)');
});
