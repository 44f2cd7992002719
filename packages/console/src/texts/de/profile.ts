import type { texts as english } from '../en/profile.ts';
import type { TextsOf } from '../texts-of.ts';

/** Texts of the pages of profile. */
export const texts: TextsOf<typeof english> = {
  title: 'Profil',
};
