import type { texts as english } from '../en/contacts.ts';
import type { TextsOf } from '../texts-of.ts';

/** Texts of the pages of contacts. */
export const texts: TextsOf<typeof english> = {
  title: 'Kontakte',
  filter: 'Filter',
  clearFilter: 'Filter entfernen',
  bulkChanges: 'Sammeländerungen',
  segment: {
    hint: 'Ein Segment ist ein gespeicherter Filter. Fügen Sie Bedingungen hinzu, sehen Sie sich die passenden Kontakte an, und speichern Sie ihn dann als Segment.',
    noCondition:
      'Ein Segment braucht eine Bedingung. Wählen Sie „Bedingung hinzufügen“, und geben Sie an, welche Kontakte Sie wollen.',
    incomplete:
      'Eine Bedingung ist nicht vollständig. Füllen Sie ihr Feld und ihren Wert aus, oder entfernen Sie sie. Speichern Sie dann das Segment.',
  },
  add: {
    action: 'Kontakt hinzufügen',
    title: 'Kontakt hinzufügen',
    text: 'Ein Kontakt wird erkannt an: {{key}}. Seine anderen Attribute können Sie später ausfüllen.',
    mobileHint: 'Mit der Ländervorwahl, zum Beispiel +49 170 1234567',
    lists: 'Listen',
    noList: 'In keiner Liste',
    added: 'Der Kontakt ist hinzugefügt.',
    merged: 'Den Kontakt gab es schon. Er hat jetzt Ihre Werte.',
    waiting: 'Der Kontakt ist angenommen. Er erscheint, wenn frühere Anfragen des Kontos angewendet sind.',
    leftOut: 'Der Kontakt ist gespeichert, aber nicht alle seine Werte',
    existsTitle: 'Es gibt schon einen Kontakt mit diesem Wert: {{key}}',
    exists: 'Noch ist nichts gespeichert. Ihre Werte würden seine ersetzen. Seine anderen Werte würden bleiben.',
    existsRefused:
      'Nichts ist gespeichert. Dieses Konto lehnt Kontakte ab, die es schon gibt. Sie können ihn auf seiner Seite ändern.',
    open: 'Kontakt öffnen',
    merge: 'Meine Werte in ihm speichern',
    refused: 'Der Kontakt wurde nicht hinzugefügt',
    correct: 'Der Kontakt wurde nicht hinzugefügt. Korrigieren Sie die markierten Felder.',
  },
  empty: {
    title: 'Noch keine Kontakte',
    text: 'Kontakte sind die Menschen, denen Sie schreiben. Importieren Sie sie aus einer Datei, oder senden Sie sie an die API.',
    import: 'Datei importieren',
  },
};
