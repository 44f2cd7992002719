import type { texts as english } from '../en/access.ts';
import type { TextsOf } from '../texts-of.ts';

/** Texts of the pages for sign-in. */
export const texts: TextsOf<typeof english> = {
  title: 'Anmelden',
};
