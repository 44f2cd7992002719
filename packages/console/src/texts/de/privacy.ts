import type { texts as english } from '../en/privacy.ts';
import type { TextsOf } from '../texts-of.ts';

/** Texts of the pages of privacy. */
export const texts: TextsOf<typeof english> = {
  title: 'Datenschutz',
  erasures: {
    title: 'Löschungen',
    text: 'Gelöschte Personen als Nummern, und Exportdateien, die sie noch enthalten können.',
    contact: 'Kontakt',
    status: 'Status',
    accepted: 'Verlangt',
    finished: 'Vollständig',
    items: 'In Anfragen',
    mails: 'E-Mails',
    signUps: 'Anmeldungen',
    files: 'Exportdateien',
    noFiles: 'keine',
    someFiles_one: '{{formatted}}, bis sie abläuft',
    someFiles_other: '{{formatted}}, bis sie ablaufen',
    empty: {
      title: 'Noch niemand wurde gelöscht',
      text: 'Öffnen Sie einen Kontakt und wählen Sie „Diese Person löschen“. Das entfernt den Kontakt und jede Spur von ihm.',
    },
  },
  forgotten: {
    title: 'Vergessene Personen',
    text: 'Gelöschte Personen werden nicht wieder gespeichert, wenn eine alte Datei oder ein System sie sendet.',
    people_one: '{{formatted}} vergessene Person',
    people_other: '{{formatted}} vergessene Personen',
    why: 'Es sind nur Hashes gespeichert. Niemand kann daraus erkennen, wer die Personen sind.',
    undoTitle: 'Eine Person wieder zulassen',
    undoText:
      'Wenn eine gelöschte Person wieder gespeichert werden will, löschen Sie die Hashes. Gelöschte Daten kommen nicht zurück. Wer eine Anmeldung bestätigt, braucht das nicht.',
    by: 'Bekannt durch',
    kinds: { email: 'E-Mail-Adresse', mobile: 'Mobilnummer', identity: 'Identität' },
    undo: 'Wieder zulassen',
    undone: 'Die Person kann wieder gespeichert werden.',
    unknown: 'Dadurch ist keine vergessene Person bekannt.',
  },
  personExports: {
    title: 'Auskünfte',
    text: 'Alles, was über eine Person bekannt ist, in einer Datei.',
    how: 'Suchen Sie die Person, und laden Sie die Datei herunter.',
    contact: 'Die Person',
    download: 'Herunterladen',
    unknown: 'Diesen Kontakt gibt es nicht mehr.',
    logged: 'Das Protokoll hält fest, wer welchen Kontakt exportiert hat.',
  },
  retention: {
    title: 'Aufbewahrung',
    text: 'Wie lange Daten über Personen aufbewahrt werden.',
    activity_retention_months: 'Monate, für die Aktivitäten aufbewahrt werden',
    monthsText: 'Ältere gesendete, geöffnete und angeklickte Nachrichten werden gelöscht.',
    reject_forgotten_contacts: 'Vergessene Personen ablehnen',
    forgottenText: 'Gelöschte Personen werden abgelehnt, wenn jemand sie wieder sendet.',
    save: 'Speichern',
    lower: {
      title: 'Ältere Aktivitäten für immer löschen?',
      text: 'Bisher wurden Aktivitäten {{before}} Monate lang aufbewahrt. Mit {{after}} werden alle Aktivitäten vor dem {{day}} innerhalb einer Stunde für immer gelöscht: gesendete, zugestellte, geöffnete und angeklickte Nachrichten, Rückläufer, Abmeldungen und Spam-Meldungen.',
      effects:
        'Sie verschwinden aus Zeitleisten und Statistiken und zählen in Filtern und Segmenten nicht mehr. Eine größere Zahl bringt sie später nicht zurück.',
      action: 'Ältere Aktivitäten löschen',
    },
  },
  signUps: {
    title: 'Anmeldungen',
    text: 'Personen, die einen Link per E-Mail erhalten und noch nicht bestätigt haben.',
    email: 'E-Mail-Adresse',
    created: 'Angemeldet',
    expires: 'Link läuft ab',
    empty: {
      title: 'Keine Anmeldung wartet',
      text: 'Anmeldungen mit doppelter Bestätigung stehen hier, bis die Person sie bestätigt, oder 48 Stunden.',
    },
  },
};
