import type { texts as english } from '../en/contacts.ts';
import type { TextsOf } from '../texts-of.ts';

/** Texts of the pages of contacts. */
export const texts: TextsOf<typeof english> = {
  title: 'Kontakte',
};
