import { expect, test } from 'vitest';
import { auditDetailsText } from './audit-details.ts';

test('the details of an entry of the audit log are shown as words', () => {
  expect(auditDetailsText({})).toBe('–');
  expect(auditDetailsText({ name: 'Newsletter', member_count: 40, scopes: ['lists:read', 'lists:write'] })).toBe(
    'name Newsletter · member count 40 · scopes lists:read, lists:write',
  );
  expect(
    auditDetailsText({
      changes: { role: { from: 'viewer', to: 'editor' }, expires_at: { from: null, to: '2026-12-01' } },
      filter_changed: true,
    }),
  ).toBe('role viewer → editor · expires at – → 2026-12-01 · filter changed true');
});

test('unknown forms of details are shown as JSON', () => {
  expect(auditDetailsText({ changes: ['a'], mapping: { EMAIL: { column: 1 } } })).toBe(
    'changes a · mapping {"EMAIL":{"column":1}}',
  );
});
