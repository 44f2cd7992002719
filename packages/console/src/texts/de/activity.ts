import type { texts as english } from '../en/activity.ts';
import type { TextsOf } from '../texts-of.ts';

/** Texts of the pages of activity. */
export const texts: TextsOf<typeof english> = {
  title: 'Aktivität',
  text: 'Was gesendet wurde, und was die Empfänger damit gemacht haben.',
  channel: 'Kanal',
  allChannels: 'Alle Kanäle',
  empty: {
    title: 'Noch keine Aktivität',
    text: 'Ihr Versandsystem meldet hier, was gesendet, zugestellt, geöffnet und angeklickt wurde. Abmeldungen und endgültig unzustellbare Nachrichten wirken sofort.',
    period: 'Keine Aktivität in diesem Zeitraum',
    periodText:
      'Wählen Sie einen längeren Zeitraum oder einen anderen Kanal. Ihr Versandsystem meldet hier, was gesendet, zugestellt, geöffnet und angeklickt wurde.',
    showYear: '365 Tage zeigen',
  },
  rates: {
    ofSent: '{{rate}} der gesendeten',
    ofDelivered: '{{rate}} der zugestellten',
    help: 'Zugestellte und unzustellbare Nachrichten werden mit gesendeten verglichen, alles andere mit zugestellten. Eine Person kann mehrmals öffnen oder klicken.',
  },
  chart: {
    title: 'Pro Tag',
    view: 'Zahlen',
    volume: 'Versand',
    reactions: 'Reaktionen',
    problems: 'Probleme',
    label: '{{view}} an jedem Tag, vom {{from}} bis zum {{to}}',
  },
  byChannel: 'Pro Kanal',
  channels: 'Kanäle',
  onlyChannel: 'Nur {{channel}} zeigen',
  messages: {
    title: 'Pro Nachricht',
    table: 'Nachrichten',
    message: 'Nachricht',
    unnamed: 'Nachricht {{number}}',
    channels: 'Kanäle',
    none: 'Keine Nachricht in diesem Zeitraum',
    noneText: 'Aktivitäten gehören zu einer Nachricht, wenn sie mit einer message_id gemeldet werden.',
    people: '{{name}}: {{formatted}} {{kind}}, Personen zeigen',
  },
  people: {
    activity: 'Aktivität',
    contact: 'Kontakt',
    when: 'Wann',
    channel: 'Kanal',
    times: 'Anzahl',
    detail: 'Einzelheit',
    anonymous: 'Anonymer Kontakt {{number}}',
    none: 'Niemand',
    noneText: 'Kein Kontakt hat diese Aktivität. Personen, die keine Kontakte sind, stehen nicht in der Liste.',
    hard: 'Endgültig unzustellbar',
    soft: 'Vorübergehend unzustellbar',
  },
};
