import type { texts as english } from '../en/attributes.ts';
import type { TextsOf } from '../texts-of.ts';

/** Texts of the pages of attributes. */
export const texts: TextsOf<typeof english> = {
  title: 'Attribute',
};
