import type { texts as english } from '../en/activity.ts';
import type { TextsOf } from '../texts-of.ts';

/** Texts of the pages of activity. */
export const texts: TextsOf<typeof english> = {
  title: 'Aktivität',
};
