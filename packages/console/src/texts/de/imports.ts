import type { texts as english } from '../en/imports.ts';
import type { TextsOf } from '../texts-of.ts';

/** Texts of the pages of imports. */
export const texts: TextsOf<typeof english> = {
  title: 'Importe',
};
