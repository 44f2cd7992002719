import type { texts as english } from '../en/access.ts';
import type { TextsOf } from '../texts-of.ts';

/** Texts of the pages for sign-in. */
export const texts: TextsOf<typeof english> = {
  fields: {
    name: 'Ihr Name',
    email: 'E-Mail-Adresse',
    password: 'Passwort',
    newPassword: 'Neues Passwort',
    passwordHint: 'Mindestens {{minimum}} Zeichen',
    showPassword: 'Passwort anzeigen',
    code: 'Code',
  },
  signIn: {
    title: 'Anmelden',
    submit: 'Anmelden',
    forgot: 'Passwort vergessen?',
    failed: 'Die E-Mail-Adresse oder das Passwort ist falsch.',
    or: 'oder',
    singleSignOn: 'Weiter mit {{name}}',
    passkey: 'Mit einem Passkey anmelden',
    noPasskeys: 'Passkeys brauchen HTTPS oder die Adresse localhost. Unter dieser Adresse funktionieren sie nicht.',
    atLocalhost: 'Diese Seite unter localhost öffnen',
    passkeyFailed: 'Der Passkey wurde nicht angenommen, oder Sie haben abgebrochen.',
  },
  signedInAgain: {
    title: 'Sie sind wieder angemeldet',
    text: 'Gehen Sie zurück zu der Seite, an der Sie gearbeitet haben. Diesen Tab können Sie schließen.',
    home: 'In diesem Tab bleiben',
  },
  secondFactor: {
    title: 'Geben Sie Ihren Code ein',
    text: 'Öffnen Sie Ihre Authenticator-App, oder benutzen Sie einen Wiederherstellungscode.',
    submit: 'Weiter',
    failed: 'Der Code ist falsch, oder er wurde schon benutzt.',
    expired: 'Das hat zu lange gedauert. Melden Sie sich noch einmal an.',
    back: 'Zurück zur Anmeldung',
  },
  setUp: {
    title: 'Inhaber anlegen',
    text: 'Ihnen gehört diese Installation: Sie sehen alle Konten und laden alle anderen ein.',
    submit: 'Inhaber anlegen',
    invalid:
      'Dieser Link gilt nicht mehr. Starten Sie den Dienst neu: Er gibt einen neuen Link aus, solange es keinen Inhaber gibt.',
    done: { title: 'Roster ist eingerichtet', text: 'Es gibt schon einen Inhaber.' },
    noLink: {
      title: 'Öffnen Sie den Link zur Einrichtung',
      text: 'Roster gibt beim Start einen Link aus, solange es keinen Inhaber gibt. Öffnen Sie diesen Link, um den Inhaber anzulegen.',
    },
  },
  noToken: {
    title: 'Öffnen Sie den Link noch einmal',
    text: 'Zur Sicherheit vergisst diese Seite den Link, wenn sie neu geladen wird. Der Link gilt noch.',
  },
  invitation: {
    title: '{{account}} beitreten',
    plainTitle: 'Einladung',
    text: 'Sie ({{email}}) sind als {{role}} eingeladen.',
    submit: 'Beitreten',
    invalid: {
      title: 'Diese Einladung gilt nicht',
      text: 'Sie wurde benutzt oder zurückgezogen, oder sie ist abgelaufen. Bitten Sie um eine neue.',
    },
    needsSignIn: 'Unter dieser Adresse gibt es Sie schon. Melden Sie sich an, um beizutreten.',
    otherPerson:
      'Die Einladung ist für {{email}}. Sie sind als {{own}} angemeldet. Melden Sie sich ab, um beizutreten.',
    signOut: 'Abmelden',
  },
  reset: {
    title: 'Passwort zurücksetzen',
    text: 'Wir senden einen Link an Ihre Adresse, wenn wir sie kennen.',
    submit: 'Link senden',
    sent: {
      title: 'Sehen Sie in Ihr Postfach',
      text: 'Wenn wir diese Adresse kennen, ist eine Mail mit einem Link unterwegs. Der Link gilt nur kurz.',
    },
    noMail: 'Dieser Dienst kann keine Mails senden. Bitten Sie einen Administrator um einen Link.',
    newTitle: 'Wählen Sie ein neues Passwort',
    newText: 'Überall sonst werden Sie abgemeldet.',
    newSubmit: 'Passwort speichern',
    invalid: 'Dieser Link gilt nicht mehr. Fordern Sie einen neuen an.',
    changedTitle: 'Ihr Passwort ist geändert',
    changed: 'Melden Sie sich mit Ihrem neuen Passwort an.',
  },
  roles: {
    owner: 'Inhaber',
    admin: 'Administrator',
    editor: 'Bearbeiter',
    viewer: 'Betrachter',
    privacy: 'Datenschutz',
  },
};
