import { optOutColumn, textColumn, type ImportPreset } from './import-preset.ts';

// UNSUB_TIME and CLEAN_TIME are only in the files of unsubscribed and cleaned contacts. Any time in
// them opts the contact out, so the subscribed file cannot be confused with the others.
const anyTimeOptsOut = optOutColumn(undefined, 'opt_out');

/** The three files of an audience of Mailchimp: subscribed, unsubscribed and cleaned contacts. */
export const mailchimp: ImportPreset = {
  id: 'mailchimp',
  title: 'Mailchimp: audience',
  signature: ['Email Address', 'MEMBER_RATING', 'OPTIN_TIME', 'LEID', 'EUID'],
  columns: {
    'Email Address': 'EMAIL',
    'First Name': 'FIRST_NAME',
    'Last Name': 'LAST_NAME',
    Address: textColumn('ADDRESS'),
    'Phone Number': textColumn('PHONE_NUMBER'),
    Birthday: textColumn('BIRTHDAY'),
    MEMBER_RATING: { field: 'MEMBER_RATING', data_type: 'number' },
    OPTIN_TIME: { field: 'CREATED_AT', date_format: 'ymd' },
    OPTIN_IP: null,
    CONFIRM_TIME: null,
    CONFIRM_IP: null,
    LATITUDE: null,
    LONGITUDE: null,
    GMTOFF: null,
    DSTOFF: null,
    TIMEZONE: 'TIME_ZONE',
    CC: 'COUNTRY',
    REGION: 'STATE',
    LAST_CHANGED: null,
    LEID: null,
    EUID: null,
    NOTES: { field: 'NOTES', data_type: 'long_text' },
    TAGS: { list_names: true, separator: ',' },
    UNSUB_TIME: anyTimeOptsOut,
    UNSUB_CAMPAIGN_TITLE: null,
    UNSUB_CAMPAIGN_ID: null,
    UNSUB_REASON: null,
    UNSUB_REASON_OTHER: null,
    CLEAN_TIME: anyTimeOptsOut,
    CLEAN_CAMPAIGN_TITLE: null,
    CLEAN_CAMPAIGN_ID: null,
  },
  optOut: [],
};
