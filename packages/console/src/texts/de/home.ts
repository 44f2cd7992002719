import type { texts as english } from '../en/home.ts';
import type { TextsOf } from '../texts-of.ts';

/** Texts of the pages of home. */
export const texts: TextsOf<typeof english> = {
  title: 'Start',
};
