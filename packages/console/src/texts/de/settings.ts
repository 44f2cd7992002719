import type { texts as english } from '../en/settings.ts';
import type { TextsOf } from '../texts-of.ts';

/** Texts of the pages of settings. */
export const texts: TextsOf<typeof english> = {
  title: 'Einstellungen',
  members: {
    title: 'Mitglieder',
    text: 'Wer was in diesem Konto darf.',
    invite: 'Person einladen',
    person: 'Person',
    email: 'E-Mail-Adresse',
    role: 'Rolle',
    roleOf: 'Rolle von {{name}}',
    unmasked: 'Unmaskierte Werte sehen',
    unmaskedOf: '{{name}} sieht unmaskierte Werte',
    unmaskedText: 'Maskierte Werte bleiben für alle maskiert, die das Recht „Unmaskierte Werte sehen“ nicht haben.',
    onlyOwners: 'Nur ein Inhaber kann dieses Recht geben.',
    lastSeen: 'Zuletzt gesehen',
    actions: 'Aktionen',
    you: 'Sie',
    disabled: 'Gesperrt',
    remove: 'Entfernen',
    removeTitle: '{{name}} aus diesem Konto entfernen?',
    removeText: 'Die Person verliert den Zugang sofort. Der Benutzer mit seinen anderen Konten bleibt.',
    forbidden: 'Ihre Rolle umfasst die Liste der Mitglieder nicht.',
    rolesTitle: 'Was die Rollen dürfen',
    roles: {
      owner: 'Inhaber',
      admin: 'Administrator',
      editor: 'Bearbeiter',
      viewer: 'Betrachter',
      privacy: 'Datenschutz',
    },
    explained: {
      owner: 'Alles, auch Inhaber ernennen, unmaskierte Werte freigeben und das Konto löschen.',
      admin: 'Alles, was nicht Inhabern vorbehalten ist.',
      editor: 'Liest und ändert Kontakte, Attribute, Listen und Segmente. Importiert und exportiert.',
      viewer: 'Liest Kontakte, Zielgruppen, Importe, Exporte, Aktivitäten und Anfragen.',
      privacy: 'Exportiert und löscht die Daten von Personen und liest das Protokoll.',
    },
    invitations: 'Einladungen',
    noInvitations: 'Keine offenen Einladungen.',
    expires: 'Gültig bis',
    expired: 'Abgelaufen',
    withdraw: 'Zurückziehen',
    withdrawTitle: 'Die Einladung von {{email}} zurückziehen?',
    withdrawText: 'Ihr Link wird ungültig.',
    submit: 'Einladen',
    mailed: '{{email}} bekommt eine Mail mit einem Link. Er gilt einmal, 7 Tage lang.',
    sendLink:
      'Es gibt keinen Mailserver. Senden Sie diesen Link an {{email}}. Er gilt einmal, 7 Tage lang, und wird nur jetzt angezeigt.',
  },
  singleSignOn: {
    title: 'Single Sign-on',
    text: 'Personen melden sich beim Anbieter Ihrer Organisation an (OpenID Connect).',
    state: 'Zustand',
    on: 'An',
    off: 'Aus',
    provider: 'Anbieter',
    redirect: 'Rücksprungadresse',
    setUp: 'So richten Sie es ein',
    setUpText:
      'Registrieren Sie Roster bei Ihrem Anbieter mit der Rücksprungadresse oben. Setzen Sie dann diese Umgebungsvariablen, und starten Sie den Dienst neu.',
    rolesText:
      'ROSTER_OIDC_ROLES gibt den Gruppen Ihres Anbieters Rollen in Konten. Sie werden bei jeder Anmeldung gesetzt. Ohne diese Einstellung müssen Personen eingeladen werden.',
  },
};
