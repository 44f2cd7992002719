import { dataTypes, Faults, isEmail, mobileDigits, readerOf } from '@roster/contract';
import { Type } from 'typebox';
import { describe, expect, test } from 'vitest';
import { formats } from '../../../contract/src/reader/formats.ts';
import { coerce } from '#features/registry/coerce.ts';
import { checkCallbackHeaders } from '#features/callbacks/destination/callback-headers.ts';
import { parseJson } from '#platform/http/json/parse-json.ts';
import { preferredWait } from '#platform/http/operations/prefer-wait.ts';
import { readForm } from '#platform/http/parameters/form.ts';
import { fieldType, fieldTypes, type FieldType } from '#features/search/filter/field-types.ts';

/** Longest text of a value, in characters. */
const length = 65_536;

// A linear algorithm takes about 1 ms for such a text. A quadratic one takes some thousand.
const mostMilliseconds = 250;

/**
 * Texts that make a regular expression backtrack: a matching start, a repeated unit, and an end
 * that does not match.
 */
const texts = ['', '1', '+', '-', '.', ' ', 'a@', 'a@a', '2026-01-31T09:00:00.', '2026-01-31', 'application/'].flatMap(
  (start) =>
    [
      '1',
      '0',
      '.',
      '1.',
      '.1',
      '1e',
      '1e1',
      '-',
      '+',
      ' ',
      '\t',
      '1 ',
      '-1',
      'a',
      'a.',
      'a-',
      '@',
      'A_',
      '/',
      '😀',
      'a=',
      '&',
      '%',
      '"',
      '{',
      '\\',
    ]
      .map((unit) => start + unit.repeat(length / unit.length))
      .flatMap((body) => ['', 'x', '!', ' x'].map((end) => body.slice(0, length - end.length) + end)),
);

/** All functions that read a text of a caller with a regular expression or a loop. */
const readers: Record<string, (text: string) => unknown> = {
  ...Object.fromEntries(dataTypes.map((type) => [`coerce to ${type}`, (text: string) => coerce(type, text)])),
  ...Object.fromEntries(
    Object.entries(formats).map(([name, read]) => [`format ${name}`, (text: string) => read(text, new Faults())]),
  ),
  ...Object.fromEntries(
    (Object.keys(fieldTypes) as FieldType[]).flatMap((type) => {
      const { read, readPattern } = fieldType(type);
      return [
        [`condition on ${type}`, (text: string) => read(text, new Faults(), 'mobile')],
        [`pattern for ${type}`, (text: string) => readPattern?.(text, new Faults(), undefined)],
      ];
    }),
  ),
  integer: (text) => readerOf(Type.Integer())(text, new Faults()),
  boolean: (text) => readerOf(Type.Boolean())(text, new Faults()),
  word: (text) => readerOf(Type.Enum(['and', 'or']))(text, new Faults()),
  'e-mail address': isEmail,
  'e-mail address of the allowed length': (text) => isEmail(text.slice(0, 250) + text.slice(-4)),
  'mobile number': mobileDigits,
  'header of a callback': (text) => checkCallbackHeaders([{ name: text, value: text }], new Faults()),
  form: readForm,
  'header Prefer': (text) => preferredWait({ prefer: text }),
  'form with a value': (text) => readForm(`data=${text}`),
  'form of JSON': (text) => readForm(`data={"${text}`),
  json: (text) => {
    expect(() => parseJson(`x${text}`)).toThrow('not valid JSON');
  },
};

describe.each(Object.entries(readers))('the reader for %s', (_name, read) => {
  test('takes linear time for texts that make regular expressions backtrack', () => {
    const slow = texts.filter((text) => durationOf(() => read(text)) > mostMilliseconds);
    expect(slow.map((text) => `${text.slice(0, 40)} … ${text.slice(-4)}`)).toEqual([]);
  });
});

/**
 * Returns the processor time of a call in milliseconds. Other processes of the machine do not
 * affect it.
 */
function durationOf(run: () => unknown): number {
  const before = process.cpuUsage();
  run();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
}
