import type { ContactProfile } from '@roster/client';
import { expect, test } from 'vitest';
import { nameOf } from './name-of.ts';

function contactWith(values: Readonly<Record<string, string | null>>, mask = 'none'): ContactProfile {
  const attributes = Object.entries(values).map(([name, value]) => ({ name, value, data_masking: mask }));
  return { attributes } as unknown as ContactProfile;
}

test('the name of a person is the first name and the last name, as far as they have values', () => {
  expect(nameOf(contactWith({ LAST_NAME: ' Müller ', CITY: 'Ulm', FIRST_NAME: 'Zoé' }), false)).toBe('Zoé Müller');
  expect(nameOf(contactWith({ FIRST_NAME: null, LAST_NAME: 'Müller' }), false)).toBe('Müller');
  expect(nameOf(contactWith({ FIRST_NAME: '', CITY: 'Ulm' }), false)).toBeUndefined();
  expect(nameOf(contactWith({ FIRST_NAME: 'x'.repeat(1000) }), false)!.length).toBeLessThan(130);
});

test('a masked name is shown only to a person who may see unmasked values', () => {
  const masked = contactWith({ FIRST_NAME: '****' }, 'full');
  expect(nameOf(masked, false)).toBeUndefined();
  expect(nameOf(contactWith({ FIRST_NAME: 'Zoé' }, 'full'), true)).toBe('Zoé');
});
