import type { texts as english } from '../../en/parts/merge.ts';
import type { TextsOf } from '../../texts-of.ts';

/** Texts for two people who change the same thing. */
export const texts: TextsOf<typeof english> = {
  title: 'Jemand anderes hat das auch geändert',
  text: 'Während Ihrer Bearbeitung bekam „{{field}}“ einen anderen Wert. Welcher soll bleiben?',
  textMany:
    'Während Ihrer Bearbeitung bekamen diese Felder andere Werte. Wählen Sie für jedes Feld einen. Noch ist nichts gespeichert.',
  theirs: 'Der andere Wert',
  yours: 'Ihr Wert',
  keepTheirs: 'Anderen behalten',
  useBoth: 'Beide zusammen behalten',
  useYours: 'Meinen nehmen',
  save: 'Auswahl speichern',
  merged: 'Gespeichert. Jemand hat zur selben Zeit ein anderes Feld geändert; beide Änderungen bleiben.',
};
