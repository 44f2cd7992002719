import { createHash } from 'node:crypto';
import { isStorable, type Faults } from '@roster/contract';
import { coerce } from '#features/registry/coerce.ts';
import type { CursorPosition, SortKey } from './checked-output.ts';
import type { Field } from '../filter/fields.ts';
import { tryJson } from '#platform/http/json/parse-json.ts';

/** Names a sort key in a cursor. Attributes use their id, so that cursors survive a rename. */
export function cursorSpec(field: Field): string {
  return field.attribute === undefined ? field.name : `#${field.attribute.id}`;
}

/**
 * Writes a cursor: base64url of a checksum and `[sorting, ...values]`.
 *
 * The checksum detects cursors that were cut, changed, or taken from another account. It is not a
 * protection against forgery, and needs none: a forged cursor can only name another position in the
 * caller's own account, in a sorting that the caller may use.
 */
export function writeCursor(accountId: number, sorting: readonly SortKey[], position: CursorPosition): string {
  const payload = Buffer.from(JSON.stringify([specOf(sorting), ...position]));
  return Buffer.concat([checksum(accountId, payload), payload]).toString('base64url');
}

/** Reads a cursor. Adds a fault when the cursor is damaged or belongs to another sorting. */
export function readCursor(
  cursor: string,
  accountId: number,
  sorting: readonly SortKey[],
  faults: Faults,
): CursorPosition | undefined {
  const place = 'output.pagination.cursor';
  const damaged = () =>
    faults.add('invalid_format', 'must be the next_cursor of an earlier response, unchanged', place);
  const bytes = Buffer.from(cursor, 'base64url');
  const payload = bytes.subarray(checksumBytes);
  // Decoding ignores invalid characters. Accept only the exact text that was sent to the caller.
  if (bytes.toString('base64url') !== cursor) return damaged();
  if (!checksum(accountId, payload).equals(bytes.subarray(0, checksumBytes))) return damaged();
  const content = tryJson(payload.toString());
  if (!Array.isArray(content)) return damaged();
  const [spec, ...values] = content as unknown[];
  if (spec !== specOf(sorting)) {
    return faults.add('not_allowed', 'belongs to another sorting. Send the same sorting as for the first page', place);
  }
  if (values.length !== sorting.length) return damaged();
  const fits = sorting.every(({ field }, index) => isSortValue(field, values[index]));
  return fits ? (values as CursorPosition) : damaged();
}

function specOf(sorting: readonly SortKey[]): string {
  return sorting.map(({ field, descending }) => `${cursorSpec(field)}${descending ? ' desc' : ''}`).join(',');
}

const checksumBytes = 9;

function checksum(accountId: number, payload: Buffer): Buffer {
  return createHash('sha256')
    .update(`roster cursor 1 ${accountId} `)
    .update(payload)
    .digest()
    .subarray(0, checksumBytes);
}

/** Checks values of a cursor, so that a forged one cannot cause a database error. */
function isSortValue({ type }: Field, value: unknown): boolean {
  if (type === 'id') return Number.isSafeInteger(value);
  if (value === null) return true;
  if (type === 'number') return Number.isFinite(value);
  if (type === 'boolean') return typeof value === 'boolean';
  if (typeof value !== 'string') return false;
  // Accept only the form that cursors have. With an offset from UTC, a forged value could be in a
  // year that PostgreSQL does not support.
  return type === 'datetime' ? coerce('datetime', value) === value : isStorable(value);
}
