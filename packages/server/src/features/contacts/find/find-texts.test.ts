import { expect, test } from 'vitest';
import { beginningWith, findTexts, keysBeginningWith } from './find-texts.ts';

test.each([
  ['+49 (0)171 / 234-5', '491712345'],
  ['0049 171.234', '49171234'],
  ['49171234', '49171234'],
  ['+4', '4'],
  ['49171a', undefined],
  ['1234567890123456', undefined],
  ['-', undefined],
])('%j can be the mobile number %s', (text, mobile) => {
  expect(findTexts(text, 'CUSTOMER_ID').mobile).toBe(mobile);
});

test('a text means the identity in the form of the primary key', () => {
  expect(findTexts(' Asha@Example ', 'EMAIL')).toEqual({ email: 'asha@example', identity: 'asha@example' });
  expect(findTexts('C-17', 'CUSTOMER_ID')).toEqual({ email: 'c-17', identity: 'C-17' });
  expect(findTexts('+91 98', 'MOBILE')).toEqual({ email: '+91 98', identity: '9198', mobile: '9198' });
  expect(findTexts('17', 'EMAIL')).toEqual({ contactId: 17, email: '17', identity: '17', mobile: '17' });
});

test('the ranges of contact keys leave out the keys of anonymous contacts', () => {
  expect(keysBeginningWith('b')).toEqual([beginningWith('b')]);
  expect(keysBeginningWith('anonymous/')).toEqual([]);
  const within = (key: string) => keysBeginningWith('an').some(({ from, before }) => key >= from && key < before);
  expect(['an', 'anna', 'anonymou', 'anonymous.a', 'anonymous0', 'anz'].filter((key) => !within(key))).toEqual([]);
  expect(['am', 'anonymous/0199', 'ao'].filter((key) => within(key))).toEqual([]);
});
