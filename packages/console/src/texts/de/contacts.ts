import type { texts as english } from '../en/contacts.ts';
import type { TextsOf } from '../texts-of.ts';

/** Texts of the pages of contacts. */
export const texts: TextsOf<typeof english> = {
  title: 'Kontakte',
  filter: 'Filter',
  bulkChanges: 'Sammeländerungen',
  empty: {
    title: 'Noch keine Kontakte',
    text: 'Kontakte sind die Menschen, denen Sie schreiben. Importieren Sie sie aus einer Datei, oder senden Sie sie an die API.',
    import: 'Datei importieren',
  },
};
