import type { texts as english } from '../en/attributes.ts';
import type { TextsOf } from '../texts-of.ts';

/** Texts of the pages of attributes. */
export const texts: TextsOf<typeof english> = {
  title: 'Attribute',
  text: 'Die typisierten Felder der Kontakte dieses Kontos.',
  system: 'System',
  columns: {
    name: 'Name',
    type: 'Typ',
    masking: 'Maskierung',
    mapping: 'Zugeordnet zu',
    default: 'Standardwert',
    index: 'Index',
  },
  types: {
    text: 'Text',
    long_text: 'Langer Text',
    number: 'Zahl',
    boolean: 'Ja oder nein',
    date: 'Datum',
    datetime: 'Datum und Uhrzeit',
  },
  masks: { none: 'Nicht maskiert', partial: 'Teilweise maskiert', full: 'Ganz maskiert' },
  index: {
    wanted: 'Index der Werte führen',
    explanation: 'Macht Bereiche, Sortierung und Wortanfänge schnell. Jeder Index bremst das Schreiben.',
    none: 'Es gibt keinen Index.',
    building: 'Der Index wird gebaut.',
    ready: 'Der Index ist bereit.',
    failed: 'Der Index konnte nicht gebaut werden.',
  },
  values: {
    title: 'Häufigste Werte',
    find: 'Wert suchen',
    exact: '{{contacts}} Kontakte, {{values}} verschiedene Werte',
    estimated: 'Etwa {{contacts}} Kontakte, geschätzt aus {{sample}}. Seltene Werte können fehlen.',
    none: 'Kein Kontakt hat so einen Wert.',
  },
  empty: { title: 'Keine Attribute', text: 'Attribute sind die typisierten Felder der Kontakte.' },
};
