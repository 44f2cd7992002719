import { optOutColumn, textColumn, type ImportPreset } from './import-preset.ts';
import type { GivenColumn } from '../shapes/service/import-columns.ts';

const words: readonly (readonly [headers: readonly string[], column: GivenColumn])[] = [
  [['E-mail', 'Email address', 'E-mail address', 'Mail', 'Mail address', 'E-Mail-Adresse', 'Emailadresse'], 'EMAIL'],
  [['Mobile number', 'Mobile phone', 'Cell', 'Cell phone', 'Mobil', 'Handy', 'Handynummer', 'Mobilnummer'], 'MOBILE'],
  [['First', 'Forename', 'Given name', 'Vorname'], 'FIRST_NAME'],
  [['Last', 'Surname', 'Family name', 'Nachname', 'Familienname'], 'LAST_NAME'],
  [['Sex', 'Geschlecht'], 'GENDER'],
  [['Birthday', 'Date of birth', 'DOB', 'Geburtstag', 'Geburtsdatum'], 'BIRTH_DATE'],
  [['Street', 'Street address', 'Straße', 'Strasse'], textColumn('STREET')],
  [['Town', 'Ort', 'Stadt'], 'CITY'],
  [['Province', 'Region', 'State/Region', 'Bundesland'], 'STATE'],
  [['Country/Region', 'Land'], 'COUNTRY'],
  [['Zip', 'Zip code', 'Postcode', 'PLZ', 'Postleitzahl'], 'POSTAL_CODE'],
  [['Locale', 'Preferred language', 'Sprache'], 'LANGUAGE'],
  [['Timezone', 'Zeitzone'], 'TIME_ZONE'],
  [['Phone', 'Phone number', 'Telephone', 'Telefon', 'Telefonnummer'], textColumn('PHONE_NUMBER')],
  [
    [
      'Sign-up date',
      'Signup date',
      'Signed up',
      'Subscribed on',
      'Date added',
      'Registered',
      'Anmeldedatum',
      'Created',
    ],
    { field: 'CREATED_AT', date_format: 'ymd' },
  ],
  [
    [
      'Unsubscribed',
      'Opted out',
      'Opt-out',
      'Opt out',
      'Do not email',
      'Subscription status',
      'Email status',
      'Abgemeldet',
    ],
    optOutColumn(),
  ],
  [['Tags', 'Tag', 'Lists', 'Groups', 'Listen', 'Gruppen'], { list_names: true }],
];

/** A table of a spreadsheet with usual column names, in English or German. */
export const spreadsheet: ImportPreset = {
  id: 'spreadsheet',
  title: 'Spreadsheet',
  signature: [],
  columns: Object.fromEntries(words.flatMap(([headers, column]) => headers.map((header) => [header, column]))),
  optOut: [],
};
