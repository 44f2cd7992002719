import type { texts as english } from '../en/home.ts';
import type { TextsOf } from '../texts-of.ts';

/** Texts of the pages of home. */
export const texts: TextsOf<typeof english> = {
  title: 'Start',
  empty: {
    title: 'Willkommen in Ihrem Konto',
    text: 'Hier sehen Sie bald Ihre Kontakte, deren Wachstum und deren Aktivität. Beginnen Sie mit einer Datei von Kontakten: CSV oder NDJSON, in jeder Größe.',
    action: 'Kontakte importieren',
  },
  tiles: {
    contacts: 'Kontakte',
    added: '{{change}} in {{formatted}} Tagen',
    email: 'E-Mail-Reichweite',
    sms: 'SMS-Reichweite',
    whatsapp: 'WhatsApp-Reichweite',
    share: '{{share}} der Kontakte',
    reachHelp:
      'Kontakte mit einer Adresse oder Nummer für diesen Kanal, die sich nicht davon abgemeldet haben und nicht gesperrt sind.',
  },
  growth: {
    title: 'Kontakte pro Tag',
    view: 'Zahlen',
    levels: 'Bestand',
    changes: 'Änderungen',
    levelsLabel: 'Kontakte jedes Typs am Ende jedes Tages, vom {{from}} bis zum {{to}}',
    changesLabel: 'Kontakte, die an jedem Tag erstellt, gelöscht oder abgemeldet wurden, vom {{from}} bis zum {{to}}',
    created: 'Erstellt',
    deleted: 'Gelöscht',
    optedOut: 'Abgemeldet',
  },
  types: {
    anonymous: 'Anonym',
    identified: 'Identifiziert',
    unconfirmed: 'Unbestätigt',
    confirmed: 'Bestätigt',
    blacklisted: 'Gesperrt',
  },
  activity: {
    title: 'Aktivität',
    label: 'Aktivitäten an jedem Tag, alle Kanäle, vom {{from}} bis zum {{to}}',
    all: 'Alle Aktivität',
    none: 'Keine Aktivität in diesem Zeitraum. Ihr Versandsystem meldet, was gesendet, geöffnet und angeklickt wurde.',
  },
  pipeline: {
    title: 'Verarbeitung',
    upToDate: 'Auf dem neuesten Stand',
    working: 'Arbeitet',
    stopped: 'Kein Worker läuft',
    stoppedText: 'Anfragen werden gespeichert und warten. Starten Sie einen Worker-Prozess, um sie anzuwenden.',
    waiting: 'Wartende Anfragen',
    items: 'Elemente darin',
    lag: 'Die älteste wartet seit',
    workers: 'Worker',
    running: 'Läuft gerade',
    nothingRuns: 'Es läuft kein Import, Export oder anderer langer Vorgang.',
  },
  failures: {
    title: 'Fehlgeschlagen seit gestern',
    none: 'In den letzten 24 Stunden ist nichts fehlgeschlagen.',
    noneSeen: 'In den letzten 24 Stunden keine Fehler von den Arten, die Ihre Rolle zeigt: {{kinds}}.',
    more: 'und {{formatted}} weitere',
    atLeast: '{{formatted}} oder mehr',
    failedItems_one: '{{formatted}} fehlgeschlagen',
    failedItems_other: '{{formatted}} fehlgeschlagen',
  },
  kinds: {
    request: 'Anfragen',
    import: 'Importe',
    export: 'Exporte',
    bulk_change: 'Sammeländerungen',
    callback: 'Callbacks',
    mail: 'Mails',
  },
  unnamed: { import: 'Import ohne Dateinamen', export: 'Export einer gelöschten Zielgruppe' },
};
