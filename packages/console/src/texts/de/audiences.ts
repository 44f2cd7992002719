import type { texts as english } from '../en/audiences.ts';
import type { TextsOf } from '../texts-of.ts';

/** Texts of the pages of audiences. */
export const texts: TextsOf<typeof english> = {
  title: 'Zielgruppen',
};
