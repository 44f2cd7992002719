import { optOutColumn, textColumn, type ImportPreset } from './import-preset.ts';

const consent = {
  subscribed: 'nothing',
  subscribe: 'nothing',
  never_subscribed: 'nothing',
  'never subscribed': 'nothing',
  unsubscribed: 'opt_out',
  unsubscribe: 'opt_out',
  suppressed: 'opt_out',
} as const;

/** The export of a list or a segment of Klaviyo. */
export const klaviyo: ImportPreset = {
  id: 'klaviyo',
  title: 'Klaviyo: list or segment',
  signature: ['Email', 'Klaviyo ID'],
  columns: {
    Email: 'EMAIL',
    'Klaviyo ID': textColumn('KLAVIYO_ID'),
    'First Name': 'FIRST_NAME',
    'Last Name': 'LAST_NAME',
    Organization: textColumn('ORGANIZATION'),
    Title: textColumn('TITLE'),
    // Klaviyo stores numbers with the country code.
    'Phone Number': 'MOBILE',
    Address: textColumn('ADDRESS'),
    'Address 2': textColumn('ADDRESS_2'),
    City: 'CITY',
    'State / Region': 'STATE',
    Country: 'COUNTRY',
    'Zip Code': 'POSTAL_CODE',
    Latitude: null,
    Longitude: null,
    Source: textColumn('SOURCE'),
    'IP Address': null,
    'Email Marketing Consent': optOutColumn(consent),
    'Email Marketing Consent Timestamp': null,
    'Email Suppressions': optOutColumn({ '[]': 'nothing', never: 'nothing' }, 'opt_out'),
    'SMS Marketing Consent': { field: 'SMS_OPTED_OUT', values: { ...consent } },
    'SMS Marketing Consent Timestamp': null,
    'Profile Created On': { field: 'CREATED_AT', date_format: 'ymd' },
    'Date Added': null,
    'First Active': null,
    'Last Active': null,
    'Last Open': null,
    'Last Click': null,
    'Historic Customer Lifetime Value': null,
    'Total Customer Lifetime Value': null,
    'Predicted Customer Lifetime Value': null,
    'Average Order Value': null,
    'Historic Number Of Orders': null,
    'Average Days Between Orders': null,
  },
  optOut: [],
};

/** The export of suppressed profiles of Klaviyo: every contact of the file is opted out. */
export const klaviyoSuppressions: ImportPreset = {
  id: 'klaviyo_suppressions',
  title: 'Klaviyo: suppressed profiles',
  signature: ['Email', 'Suppression Reason'],
  onlyWith: ['Suppression Timestamp', 'Suppressed At', 'Timestamp', 'Klaviyo ID', 'First Name', 'Last Name'],
  columns: {
    Email: 'EMAIL',
    'Suppression Reason': null,
    Reason: null,
    'Suppression Timestamp': null,
    'Suppressed At': null,
    Timestamp: null,
    'Klaviyo ID': textColumn('KLAVIYO_ID'),
    'First Name': 'FIRST_NAME',
    'Last Name': 'LAST_NAME',
  },
  optOut: ['email'],
};
