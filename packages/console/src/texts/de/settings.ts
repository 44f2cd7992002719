import type { texts as english } from '../en/settings.ts';
import type { TextsOf } from '../texts-of.ts';

/** Texts of the pages of settings. */
export const texts: TextsOf<typeof english> = {
  title: 'Einstellungen',
};
