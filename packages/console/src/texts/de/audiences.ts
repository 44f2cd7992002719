import type { texts as english } from '../en/audiences.ts';
import type { TextsOf } from '../texts-of.ts';

/** Texts of the pages of audiences. */
export const texts: TextsOf<typeof english> = {
  title: 'Zielgruppen',
  text: 'Listen haben Mitglieder, die Sie aufnehmen. Segmente sind gespeicherte Filter, die ihre Kontakte jedes Mal neu finden.',
  lists: 'Listen',
  segments: 'Segmente',
  name: 'Name',
  contacts: 'Kontakte',
  updated: 'Geändert',
  find: 'Nach Namen suchen',
  actions: 'Aktionen',
  actionsOf: 'Aktionen für {{name}}',
  members_one: '{{formatted}} Kontakt',
  members_other: '{{formatted}} Kontakte',
  export: 'Exportieren',
  filterFurther: 'Weiter filtern',
  saveFilter: 'Filter speichern',
  discard: 'Änderungen verwerfen',
  order: {
    label: 'Reihenfolge',
    name: 'Nach Namen',
    updated_at: 'Zuletzt geändert zuerst',
    member_count: 'Größte zuerst',
  },
  tabs: { contacts: 'Kontakte', filter: 'Filter', growth: 'Wachstum', uses: 'Verwendung', changes: 'Änderungen' },
  count: { slow: 'zu langsam', broken: 'ungültig', failed: 'unbekannt' },
  masked: {
    read: 'Dieser Filter verwendet ein maskiertes Attribut. Sie dürfen dessen Werte nicht sehen.',
    write:
      'Dieser Filter verwendet ein maskiertes Attribut. Um ihn zu ändern oder zu kopieren, bitten Sie einen Inhaber um das Recht, unmaskierte Werte zu sehen.',
  },
  growth: {
    column: 'Wachstum, 30 Tage',
    none: 'unverändert',
    notYet: 'noch nicht bekannt',
    members: 'Mitglieder',
    changes: 'Beigetreten und ausgetreten',
    joined: 'Beigetreten',
    left: 'Ausgetreten',
    summary: '{{joined}} beigetreten, {{left}} ausgetreten.',
    since: 'Gezählt seit',
    change: '{{change}} seit {{day}}.',
    daily: 'Wird einmal am Tag gezählt, wenn der Tag beginnt.',
    first: {
      title: 'Noch nicht gezählt',
      text: 'Roster zählt dieses Segment einmal am Tag. Das Diagramm beginnt morgen.',
    },
    missing: {
      title: 'An diesen Tagen nicht gezählt',
      text: 'Roster zählt dieses Segment einmal am Tag. An diesen Tagen dauerte das Zählen zu lange, oder Roster lief nicht.',
    },
  },
  uses: {
    column: 'Verwendung',
    kind: 'Art',
    effect: 'Löschen',
    none: 'nicht verwendet',
    more: 'und {{count}} weitere',
    prevents: 'Nicht möglich, solange verwendet',
    allows: 'Möglich',
    noneTitle: 'Nicht verwendet',
    noneText: 'Kein Segment, Export oder Import verwendet sie jetzt. Sie kann gelöscht werden.',
    features: { segment: 'Segment', export: 'Export', export_schedule: 'Export-Zeitplan', import: 'Import' },
  },
  changes: {
    title: 'Änderungen',
    at: 'Wann',
    actor: 'Wer',
    what: 'Was',
    created: 'Angelegt',
    renamed: 'Von „{{from}}“ in „{{to}}“ umbenannt',
    filter: 'Filter geändert',
    none: 'Keine Änderungen',
    noneText: 'Hier erscheinen Änderungen des Namens oder Filters.',
  },
  create: {
    lists: 'Liste anlegen',
    segments: 'Segment anlegen',
    action: 'Anlegen',
    text: 'Eine Liste ist zuerst leer. Nehmen Sie Kontakte durch einen Import, in der Tabelle der Kontakte oder über die API auf.',
  },
  rename: { lists: 'Liste umbenennen', segments: 'Segment umbenennen', action: 'Umbenennen' },
  duplicate: {
    lists: 'Liste duplizieren',
    segments: 'Segment duplizieren',
    action: 'Duplizieren',
    name: 'Kopie von {{name}}',
    text: {
      lists: 'Die jetzigen Mitglieder werden im Hintergrund in die Kopie aufgenommen.',
      segments: 'Die Kopie hat denselben Filter. Beide hängen nicht voneinander ab.',
    },
  },
  delete: {
    title: '„{{name}}“ löschen?',
    action: 'Löschen',
    inUse: '„{{name}}“ wird verwendet',
    inUseText: 'Löschen ist nicht möglich, solange sie hier verwendet wird. Ändern oder löschen Sie zuerst dies:',
    text: {
      lists:
        'Die Liste ist sofort weg. Ihre Kontakte bleiben und verlassen die Liste. Das lässt sich nicht rückgängig machen.',
      segments: 'Das Segment ist sofort weg. Seine Kontakte bleiben. Das lässt sich nicht rückgängig machen.',
    },
  },
  noContacts: {
    title: 'Keine Kontakte',
    list: 'Nehmen Sie Kontakte durch einen Import, in der Tabelle der Kontakte oder über die API auf.',
    segment: 'Kein Kontakt passt jetzt zum Filter dieses Segments.',
  },
  empty: {
    lists: {
      title: 'Noch keine Listen',
      text: 'Eine Liste ist eine Gruppe von Kontakten, die Sie auswählen, etwa die Leser eines Newsletters.',
    },
    segments: {
      title: 'Noch keine Segmente',
      text: 'Ein Segment findet Kontakte nach ihren Werten, etwa alle in einer Stadt. Es ist immer aktuell.',
    },
    found: 'Kein Name enthält das',
    foundText: 'Geben Sie einen anderen Teil des Namens ein.',
  },
};
