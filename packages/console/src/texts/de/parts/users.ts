import type { texts as english } from '../../en/parts/users.ts';
import type { TextsOf } from '../../texts-of.ts';

/** Texts of the page of all users. */
export const texts: TextsOf<typeof english> = {
  title: 'Benutzer',
  text: 'Alle Personen, die sich bei dieser Installation anmelden können, mit ihren Konten und Rollen.',
  find: 'Nach Name oder Adresse suchen',
  name: 'Name',
  email: 'E-Mail-Adresse',
  accounts: 'Konten',
  noAccounts: 'Kein Konto',
  administrator: 'Installations\u00ADadministrator',
  secondFactor: 'Zweiter Faktor',
  lastSeen: 'Zuletzt da',
  created: 'Angelegt',
  sessions: 'Offene Sitzungen',
  status: 'Status',
  blocked: 'Gesperrt',
  signIn: 'Anmeldung mit',
  byPassword: 'Passwort',
  bySingleSignOn: 'Single Sign-on',
  unmasked: 'Sieht unmaskierte Werte',
  yes: 'Ja',
  no: 'Nein',
  on: 'An',
  off: 'Aus',
  manage: 'Benutzer verwalten',
  emptyTitle: 'Niemand gefunden',
  emptyText:
    'Kein Benutzer hat das im Namen oder in der Adresse. Laden Sie Personen in den Einstellungen eines Kontos ein.',
  linkMade:
    'Senden Sie diesen Link nur an {{name}}. Er setzt ein neues Passwort, gilt einmal, eine Stunde lang, und wird nur jetzt gezeigt.',
  roles: {
    owner: 'Inhaber',
    admin: 'Administrator',
    editor: 'Bearbeiter',
    viewer: 'Betrachter',
    privacy: 'Datenschutz',
  },
  actions: {
    resetLink: 'Link für ein neues Passwort erstellen',
    endSessions: 'Alle Sitzungen beenden',
    removeSecondFactor: 'Authenticator-App entfernen',
    makeAdministrator: 'Zum Administrator machen',
    removeAdministrator: 'Als Administrator entfernen',
    block: 'Sperren',
    unblock: 'Entsperren',
    delete: 'Benutzer löschen',
  },
  questions: {
    endSessions: 'Alle Sitzungen von {{name}} beenden?',
    removeSecondFactor: 'Authenticator-App von {{name}} entfernen?',
    makeAdministrator: '{{name}} zum Administrator der Installation machen?',
    removeAdministrator: '{{name}} als Administrator der Installation entfernen?',
    block: '{{name}} sperren?',
    delete: '{{name}} löschen?',
  },
  effects: {
    endSessions: 'Die Person muss sich überall neu anmelden. Persönliche Zugriffstoken gelten weiter.',
    removeSecondFactor:
      'Nur wenn die Person das Telefon und die Wiederherstellungscodes verloren hat. Danach reicht das Passwort. Alle Sitzungen der Person enden.',
    makeAdministrator: 'Administratoren sehen und verwalten alle Konten und alle Benutzer.',
    removeAdministrator: 'Die Person behält ihre Rollen in Konten.',
    block:
      'Die Person wird sofort abgemeldet und kann sich nicht anmelden. Token gelten nicht. Sie können die Person später entsperren.',
    delete:
      'Der Benutzer wird mit allen Rollen, Token, Passkeys und eigenen Ansichten gelöscht. Das Protokoll behält nur die Nummer. Das lässt sich nicht rückgängig machen.',
  },
};
