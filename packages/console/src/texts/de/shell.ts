import type { texts as english } from '../en/shell.ts';
import type { TextsOf } from '../texts-of.ts';

/** Texts of the frame around all pages. */
export const texts: TextsOf<typeof english> = {
  pages: {
    home: 'Start',
    contacts: 'Kontakte',
    audiences: 'Zielgruppen',
    attributes: 'Attribute',
    imports: 'Importe',
    exports: 'Exporte',
    activity: 'Aktivität',
    developers: 'Entwickler',
    privacy: 'Datenschutz',
    settings: 'Einstellungen',
  },
  product: 'Roster',
  skip: 'Zum Inhalt springen',
  menu: 'Menü',
  account: 'Account',
  accountNumber: 'Account {{number}}',
  search: 'Suchen',
  searchHint: 'Seiten, Kontakte, Zielgruppen suchen …',
  nothingFound: 'Nichts gefunden',
  palette: {
    pages: 'Seiten',
    contacts: 'Kontakte',
    audiences: 'Zielgruppen',
    attributes: 'Attribute',
    hint: 'Geben Sie eine E-Mail-Adresse, Mobilnummer, Identität oder ID ein',
    searching: 'Wird gesucht …',
    list: 'Liste',
    segment: 'Segment',
    failed: 'Die Suche ist fehlgeschlagen. Versuchen Sie es noch einmal.',
  },
  profile: 'Profil',
  signOut: 'Abmelden',
  scheme: { label: 'Darstellung', light: 'Hell', dark: 'Dunkel', auto: 'System' },
  language: 'Sprache',
  noAccounts: {
    title: 'Sie haben noch keinen Account',
    text: 'Bitten Sie einen Administrator, Sie zu einem Account hinzuzufügen.',
  },
  unknownPage: { title: 'Diese Seite gibt es nicht', text: 'Die Adresse ist falsch, oder die Seite wurde verschoben.' },
  placeholder: { title: 'Diese Seite ist noch nicht fertig', text: 'Die API kann das schon. Die Seite folgt.' },
};
