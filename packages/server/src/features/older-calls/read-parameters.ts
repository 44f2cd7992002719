import { readerOf, type Faults } from '@roster/contract';
import { Type } from 'typebox';
import { contactKey } from '#features/contacts/model/identity.ts';
import type { OlderRequest } from '#platform/http/older-calls/older-calls.ts';
import { isEmpty } from '#platform/http/parameters/parameters.ts';

/**
 * Reads a value of the primary key of the account from a parameter. Adds a fault for anything that
 * cannot be one.
 */
export function readIdentity(
  { credential: { primaryKey }, parameters }: OlderRequest,
  name: 'data' | 'primary_key',
  faults: Faults,
): string | undefined {
  const given = withoutQuotes(parameters[name]);
  const what = `the value of ${primaryKey}, the primary key of the account`;
  if (isEmpty(given)) return faults.add('required', `is required. Send ${what}`, name);
  if (typeof given !== 'string' && !Number.isSafeInteger(given)) {
    return faults.add('invalid_type', `must be ${what}`, name);
  }
  const identity = String(given).trim();
  if (contactKey(primaryKey, identity) !== undefined) return identity;
  return faults.add('invalid_format', `must be ${what}`, name);
}

/** Some clients send the value as JSON text. */
function withoutQuotes(given: unknown): unknown {
  if (typeof given !== 'string' || !/^\s*"/.test(given)) return given;
  try {
    return JSON.parse(given);
  } catch {
    return given;
  }
}

const readList = readerOf(Type.Integer({ minimum: 1, maximum: 2_147_483_647 }));

/** Reads the number of a list. Adds a fault for anything else. */
export function readListId({ parameters: { listid } }: OlderRequest, faults: Faults): number | undefined {
  if (isEmpty(listid)) return undefined;
  const before = faults.count;
  const list = readList(listid, faults);
  faults.prefix(before, 'listid');
  return list;
}
