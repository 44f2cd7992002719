import { describe, expect, test } from 'vitest';
import { nearestName, unknownName } from './nearest-name.ts';

const fields = ['contact_id', 'email', 'mobile', 'created_at', 'FIRST_NAME', 'LAST_NAME', 'STATE', 'CITY', 'AGE'];

describe('the nearest name', () => {
  test.each([
    ['FIRSTNAME', 'FIRST_NAME'],
    ['firstName', 'FIRST_NAME'],
    ['first-name', 'FIRST_NAME'],
    ['First Name', 'FIRST_NAME'],
    ['LASTNAME', 'LAST_NAME'],
    ['emial', 'email'],
    ['e-mail', 'email'],
    ['EMAIL_ADDRESS', 'email'],
    ['mobile_number', 'mobile'],
    ['contactId', 'contact_id'],
    ['ID', 'contact_id'],
    ['creation_at', 'created_at'],
    ['CITTY', 'CITY'],
  ])('of %s is %s', (given, expected) => {
    expect(nearestName(given, fields)).toBe(expected);
  });

  test.each(['DATE', 'COLOUR', 'A', '', '   ', '___', 'ü', '😀'.repeat(40), 'CITY'.repeat(1000)])(
    'of %j does not exist',
    (given) => {
      expect(nearestName(given, fields)).toBeUndefined();
    },
  );

  test('prefers the same letters in another case, and otherwise the smallest difference', () => {
    expect(nearestName('subscription', ['subscripted', 'subscriptions'])).toBe('subscriptions');
    expect(nearestName('list', ['lists', 'LIST'])).toBe('LIST');
    expect(nearestName('masking', ['mapping', 'data_masking'])).toBe('data_masking');
    expect(nearestName('lists', ['list', 'mail_lists'])).toBe('list');
    expect(nearestName('criteria', ['output', 'filtering_criteria'])).toBe('filtering_criteria');
    expect(nearestName('filter', ['filtering_criteria_operator', 'filtering_criteria'])).toBe('filtering_criteria');
  });

  test.each([
    ['=', 'equals'],
    ['>=', 'greater_than_or_equal'],
    ['LIKE', 'contains'],
    ['in', 'equals'],
    ['strng', 'text'],
    ['int', 'number'],
    ['order', 'direction'],
    ['>>', undefined],
    // `page` is only a part of `page_size`, which means `limit`.
    ['page', undefined],
  ])('of the word %s, which other products use, is %s', (given, expected) => {
    const known = ['text', 'number', 'equals', 'contains', 'greater_than_or_equal', 'direction', 'limit'];
    expect(nearestName(given, known)).toBe(expected);
  });

  test('compares letters of every alphabet', () => {
    expect(nearestName('Straße', ['STRASSE', 'straße'])).toBe('straße');
    expect(nearestName('ГОРОДД', ['ГОРОД'])).toBe('ГОРОД');
  });
});

describe('an unknown name', () => {
  test('is shown with the name that was probably meant', () => {
    expect(unknownName('FIRSTNAME', 'a field', fields)).toBe('FIRSTNAME is not a field. Did you mean FIRST_NAME?');
  });

  test('is shown with advice if no similar name exists', () => {
    expect(unknownName('COLOUR', 'a field', fields, 'Create the attribute first.')).toBe(
      'COLOUR is not a field. Create the attribute first.',
    );
    expect(unknownName('COLOUR', 'a field', fields)).toBe('COLOUR is not a field.');
  });

  test('is shown as up to 64 printable characters', () => {
    expect(unknownName('a\n\u0000\ud800', 'a key', [])).toBe(String.raw`a\n\u0000` + '\ufffd is not a key.');
    expect(unknownName('x'.repeat(1000), 'a key', [])).toBe(`${'x'.repeat(64)} is not a key.`);
    expect(unknownName('  ', 'a key', [])).toBe('"" is not a key.');
  });
});
