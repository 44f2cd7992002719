import { expect, test } from 'vitest';
import { auditDetailsText, auditFacts, type AuditWords } from './audit-details.ts';

const words: AuditWords = {
  field: (name) => name.replaceAll('_', ' '),
  value: (field, value) => (field === 'role' ? value.toUpperCase() : value),
  isTrue: 'Yes',
  isFalse: 'No',
};

test('the details of an entry of the audit log are shown as words', () => {
  expect(auditDetailsText({}, words)).toBe('–');
  expect(auditDetailsText({ name: 'Newsletter', member_count: 40, scopes: ['lists:read', 'lists:write'] }, words)).toBe(
    'name Newsletter · member count 40 · scopes lists:read, lists:write',
  );
  const details = {
    changes: { role: { from: 'viewer', to: 'editor' }, expires_at: { from: null, to: '2026-12-01' } },
    filter_changed: true,
  };
  expect(auditDetailsText(details, words)).toBe(
    'role VIEWER → EDITOR · expires at – → 2026-12-01 · filter changed Yes',
  );
  expect(auditFacts(details)).toEqual([
    { field: 'role', before: 'viewer', value: 'editor' },
    { field: 'expires_at', before: null, value: '2026-12-01' },
    { field: 'filter_changed', value: true },
  ]);
});

test('the changed fields of a contact are named like its attributes', () => {
  expect(auditDetailsText({ fields: ['email', 'attributes.CITY', 'attributes.FIRST_NAME'] }, words)).toBe(
    'fields email, CITY, FIRST_NAME',
  );
});

test('unknown forms of details are shown as JSON', () => {
  expect(auditDetailsText({ changes: ['a'], mapping: { EMAIL: { column: 1 } } }, words)).toBe(
    'changes a · mapping {"EMAIL":{"column":1}}',
  );
});
