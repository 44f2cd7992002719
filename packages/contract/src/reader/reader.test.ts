import { Type } from 'typebox';
import { describe, expect, test } from 'vitest';
import {
  CreateContactsBody,
  Faults,
  mobileDigits,
  readerOf,
  SearchContactsBody,
  UpdateContactsBody,
} from '../index.ts';

/** Returns the value that a reader returns, and its faults as `code field`. */
function read(schema: Type.TSchema, input: unknown) {
  const faults = new Faults();
  const value: unknown = readerOf(schema)(input, faults);
  return { value, faults: faults.list.map(({ code, field }) => `${code} ${field}`) };
}

describe('the reader of an object', () => {
  const tolerant = Type.Object({ name: Type.String(), size: Type.Optional(Type.Integer()) });
  const strict = Type.Object(tolerant.properties, { 'x-refuse-unknown': 'filter' });

  test('accepts keys in any letter case, and prefers the spelling of the contract', () => {
    expect(read(tolerant, { NAME: 'a', Size: '3', other: 1 })).toEqual({ value: { name: 'a', size: 3 }, faults: [] });
    expect(read(tolerant, { NAME: 'a', name: 'b', Name: 'c' })).toEqual({ value: { name: 'b' }, faults: [] });
    expect(read(tolerant, { name: null, NAME: 'a' }).faults).toEqual(['required name']);
  });

  test('treats a blank text as absent if the shape says so', () => {
    const shape = Type.Object({
      size: Type.Optional(Type.Integer({ 'x-blank-is-absent': true })),
      name: Type.Optional(Type.String({ minLength: 1 })),
    });
    expect(read(shape, { size: ' ', name: '' })).toEqual({ value: { name: undefined }, faults: ['required name'] });
    expect(read(shape, { size: '' })).toEqual({ value: {}, faults: [] });
  });

  test('refuses invisible characters in a name, and keeps letters and emoji of all scripts', () => {
    const shape = Type.Object({ name: Type.String({ minLength: 1, 'x-plain-name': true }) });
    const names = ['\u202Egnp.exe', 'a\u2066b', 'a\u200Bb', 'a\nb', 'a\u0007b', 'a\u2028b', 'a\uFEFFb', 'a\u0085b'];
    for (const name of names) expect(read(shape, { name }).faults).toEqual(['invalid_character name']);
    for (const name of ['שלום', 'قائمة', 'می‌خواهم', 'क्‍ष', '👨‍👩‍👧', 'Zoë <b>']) {
      expect(read(shape, { name: ` ${name}\n` })).toEqual({ value: { name }, faults: [] });
    }
  });

  test('treats null and a blank text as absent in every field that is not a text', () => {
    const shape = Type.Object({
      word: Type.Optional(Type.Enum(['a', 'b'])),
      count: Type.Optional(Type.Integer()),
      flag: Type.Optional(Type.Boolean()),
      parts: Type.Optional(Type.Array(Type.Object({}))),
      part: Type.Optional(Type.Object({})),
      cursor: Type.Optional(Type.String({ minLength: 1, 'x-blank-is-absent': true })),
    });
    for (const empty of [null, '', ' ', '\t\n']) {
      const given = Object.fromEntries(Object.keys(shape.properties).map((name) => [name, empty]));
      expect(read(shape, given)).toEqual({ value: {}, faults: [] });
    }
  });

  test.each([
    [
      'an object',
      Type.Object({ name: Type.String() }),
      'is required: name belongs inside data, as in {"data": {"name": …}}',
    ],
    [
      'a list of objects',
      Type.Array(Type.Object({ name: Type.String() })),
      'is required: name belongs inside data, as in {"data": [{"name": …}]}',
    ],
  ])('says that the fields of %s belong inside it when the wrapper is missing', (_, data, message) => {
    const faults = new Faults();
    readerOf(Type.Object({ data }))({ name: 'x' }, faults);
    expect(faults.list.map((fault) => fault.message)).toEqual([message]);
  });

  test('reads a blank text in a text field, and refuses it in a field that must not be empty', () => {
    const shape = Type.Object({
      text: Type.Optional(Type.String()),
      texts: Type.Optional(Type.Array(Type.String())),
      lists: Type.Optional(Type.Array(Type.Integer(), { 'x-refuse-null': true })),
      word: Type.Enum(['a', 'b']),
    });
    expect(read(shape, { text: ' ', texts: '', word: 'A' }).value).toEqual({ text: '', texts: [''], word: 'a' });
    expect(read(shape, { lists: ' ', word: '' }).faults).toEqual(['invalid_type lists[0]', 'required word']);
    expect(read(shape, { lists: null, word: null }).faults).toEqual(['invalid_type lists', 'required word']);
  });

  test('that refuses unknown keys also refuses two keys for the same field', () => {
    expect(read(strict, { NAME: 'a', name: 'b' }).faults).toEqual(['duplicate name']);
    expect(read(strict, { name: 'a', Name: 'a', other: 1 })).toEqual({ value: { name: 'a' }, faults: [] });
    expect(read(strict, { name: 'a', My_Filters: 1, Filter: 2 }).faults).toEqual([
      'unknown_field My_Filters',
      'unknown_field Filter',
    ]);
  });

  test('returns the valid values in addition to faults, with undefined instead of each invalid value', () => {
    const shape = Type.Object({ sizes: Type.Array(Type.Integer()), ...strict.properties });
    const { value, faults } = read(shape, { sizes: [1, 'x', 3], size: {} });
    expect(faults).toEqual(['invalid_type sizes[1]', 'required name', 'invalid_type size']);
    expect(value).toEqual({ sizes: [1, undefined, 3], size: undefined });
    expect(value).not.toHaveProperty('name');
  });

  test('shows hostile keys shortened and in printable characters', () => {
    const [fault] = read(Type.Object({}, { additionalProperties: false }), {
      [`\n\ud800${'x'.repeat(500)}`]: 1,
    }).faults;
    expect(fault).toMatch(/^unknown_field \\n\ufffdx{62}$/);
  });
});

describe('the reader of an object that is stored unchanged', () => {
  const kept = Type.Object({}, { format: 'json-object' });

  test('refuses numbers that would change', () => {
    const sent = '{"id":9007199254740991,"share":0.1,"small":5e-324,"less":-7,"text":"12345678901234567890"}';
    expect(read(kept, JSON.parse(sent))).toEqual({ value: JSON.parse(sent), faults: [] });
    for (const number of ['9007199254740993', '-12345678901234567890', '1e999']) {
      const nested: unknown = JSON.parse(`{"a":[{"b":${number}}]}`);
      expect(read(kept, nested).faults, number).toEqual(['out_of_range ']);
    }
  });

  test('refuses objects with more than 100 levels', () => {
    const nested = (levels: number): unknown => JSON.parse(`${'{"a":'.repeat(levels)}1${'}'.repeat(levels)}`);
    expect(read(kept, nested(100)).faults).toEqual([]);
    for (const levels of [101, 2000, 4400, 10_000, 200_000]) {
      expect(read(kept, nested(levels)).faults, String(levels)).toEqual(['not_supported ']);
    }
  });
});

describe('the reader of a contact create body', () => {
  const create = (contactType: unknown, ...contacts: unknown[]) =>
    read(CreateContactsBody, { data: { contacts, contact_type: contactType } });

  test('reports every missing identity of identified contacts in order with the other faults', () => {
    const contacts = [{}, { identity: 'a@b.co', mobile: '1' }, { identity: null }, { identity: ' ' }, 5];
    expect(create('Identified', ...contacts).faults).toEqual([
      'required data.contacts[0].identity',
      'invalid_format data.contacts[1].mobile',
      'required data.contacts[2].identity',
      'required data.contacts[3].identity',
      'invalid_type data.contacts[4]',
    ]);
  });

  test.each([[''], [{}], [[]], ['anonymous/1'], [true], ['\0'], ['x'.repeat(300)], [null]])(
    'ignores the identity %j of an anonymous contact',
    (identity) => {
      expect(create('anonymous', { identity, email: 'a@b.co' })).toEqual({
        value: { data: { contact_type: 'anonymous', contacts: [{ email: 'a@b.co' }] } },
        faults: [],
      });
    },
  );

  test('does not report a missing identity if the contact type is unknown', () => {
    expect(create('vip', {}, { identity: {} }).faults).toEqual([
      'unknown_value data.contact_type',
      'invalid_type data.contacts[1].identity',
    ]);
  });

  test.each([
    [12345, '12345'],
    [1.5, '1.5'],
    [-0.25, '-0.25'],
    [1e-7, '0.0000001'],
    [2 ** 53 - 1, '9007199254740991'],
    [' C-7 ', 'C-7'],
  ])('reads the identity %j as %j', (identity, text) => {
    expect(create('identified', { identity }).value).toMatchObject({ data: { contacts: [{ identity: text }] } });
  });

  test('accepts attribute names and texts that are too long, so that only their contact fails later', () => {
    const attributes = { CITY: 'x'.repeat(65_537), '': 1, ' ': 2, ['y'.repeat(300)]: 3 };
    expect(create('identified', { identity: 'a', attributes }).faults).toEqual([]);
  });
});

describe('the reader of a record', () => {
  const shape = Type.Unsafe<object>({
    type: 'object',
    patternProperties: { '^.*$': { format: 'attribute-value' } },
    'x-key-case': 'upper',
    'x-refuse-keys': { keys: ['EMAIL'], message: 'is a field' },
  });
  const keys = (input: object) => Object.keys(read(shape, input).value as object);

  test('treats keys that every object inherits like any other', () => {
    const input = JSON.parse('{"__proto__":1,"constructor":2,"toString":3}') as object;
    expect(JSON.stringify(read(shape, input).value)).toBe('{"__PROTO__":1,"CONSTRUCTOR":2,"TOSTRING":3}');
    const cased = Type.Record(Type.String(), Type.Number());
    expect(JSON.stringify(read(cased, input).value)).toBe(JSON.stringify(input));
    expect(Object.keys(read(cased, {}).value as object)).toEqual([]);
    expect('constructor' in (read(cased, {}).value as object)).toBe(false);
  });

  test('gives the same names and faults when keys come again', () => {
    for (const _ of [1, 2]) {
      expect(keys({ city: 1, ' City2 ': 2, straße: 3 })).toEqual(['CITY', 'CITY2', 'STRAßE']);
      expect(read(shape, { email: 'a', 'a\0': 1, city: 1 }).faults).toEqual([
        'not_allowed email',
        String.raw`invalid_character a\u0000`,
      ]);
    }
  });

  test('reads more keys than it keeps', () => {
    const many = Object.fromEntries(Array.from({ length: 2500 }, (_, n) => [`name${n}`, n]));
    const upper = Object.keys(many).map((key) => key.toUpperCase());
    expect([keys(many), keys(many)]).toEqual([upper, upper]);
    expect(keys({ ['n'.repeat(1000)]: 1 })).toEqual(['N'.repeat(1000)]);
  });
});

test('the reader of a contact update body reports every contact without an identifier in order with the other faults', () => {
  const contacts = [{ attributes: { CITY: {} } }, { mobile: '1' }, { email: null }, { contact_id: 'x' }];
  expect(read(UpdateContactsBody, { data: { contacts } }).faults).toEqual([
    'required data.contacts[0]',
    'invalid_type data.contacts[0].attributes.CITY',
    'invalid_format data.contacts[1].mobile',
    'required data.contacts[2]',
    'invalid_type data.contacts[3].contact_id',
  ]);
});

test('the reader keeps the spelling of output fields, including spaces', () => {
  expect(read(SearchContactsBody, { output: { fields: [' CITY '] } }).value).toEqual({
    output: { fields: [' CITY '] },
  });
});

describe('a mobile number', () => {
  test.each([
    ['+91 98123-45678', '919812345678'],
    [' 919812345678 ', '919812345678'],
    ['-919812345678', undefined],
    ['12345', undefined],
    ['1234567890123456', undefined],
  ])('%j has the digits %j', (text, digits) => {
    expect(mobileDigits(text)).toBe(digits);
  });

  test('may be a JSON number, but not a negative one', () => {
    const faultsOf = (mobile: unknown) =>
      read(UpdateContactsBody, { data: { contacts: [{ identity: 'a', mobile }] } }).faults;
    expect(faultsOf(919812345678)).toEqual([]);
    expect(faultsOf(-919812345678)).toEqual(['invalid_format data.contacts[0].mobile']);
    expect(faultsOf(919812345.5)).toEqual(['invalid_format data.contacts[0].mobile']);
    expect(faultsOf(1e20)).toEqual(['out_of_range data.contacts[0].mobile']);
    expect(faultsOf(true)).toEqual(['invalid_type data.contacts[0].mobile']);
  });
});

test('the message of a fault says what is accepted', () => {
  const messageOf = (schema: Type.TSchema, input: unknown) => {
    const faults = new Faults();
    readerOf(schema)(input, faults);
    return faults.list[0]!.message;
  };
  const item = (fields: object) => ({ data: { contacts: [{ identity: 'a', ...fields }] } });
  expect(messageOf(UpdateContactsBody, item({ mobile: true }))).toBe('must be a string or a number, not a boolean');
  expect(messageOf(UpdateContactsBody, item({ audience_details: [{ audience_id: null }] }))).toBe('is required');
  expect(messageOf(UpdateContactsBody, item({ audience_details: [null] }))).toBe(
    'must be an object, not null, for example {"audience_id":[1]}',
  );
  const condition = { field: 'a', operation: 'equals', value: [{}] };
  const filter = { filtering_criteria: [{ condition_details: [condition] }] };
  expect(messageOf(SearchContactsBody, filter)).toBe('must be a string, number or boolean, not an object');
});
