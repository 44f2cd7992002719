import type { texts as english } from '../en/exports.ts';
import type { TextsOf } from '../texts-of.ts';

/** Texts of the pages of exports. */
export const texts: TextsOf<typeof english> = {
  title: 'Exporte',
};
