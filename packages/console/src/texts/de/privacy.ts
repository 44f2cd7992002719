import type { texts as english } from '../en/privacy.ts';
import type { TextsOf } from '../texts-of.ts';

/** Texts of the pages of privacy. */
export const texts: TextsOf<typeof english> = {
  title: 'Datenschutz',
};
