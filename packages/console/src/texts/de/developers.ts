import type { texts as english } from '../en/developers.ts';
import type { TextsOf } from '../texts-of.ts';

/** Texts of the pages of developers. */
export const texts: TextsOf<typeof english> = {
  title: 'Entwickler',
};
