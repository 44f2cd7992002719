import { textColumn, type ImportPreset } from './import-preset.ts';

/** The export of contacts of SendGrid Marketing Campaigns. */
export const sendgrid: ImportPreset = {
  id: 'sendgrid',
  title: 'SendGrid: contacts',
  signature: ['EMAIL', 'FIRST_NAME', 'ALTERNATE_EMAILS', 'STATE_PROVINCE_REGION', 'CONTACT_ID'],
  columns: {
    EMAIL: 'EMAIL',
    FIRST_NAME: 'FIRST_NAME',
    LAST_NAME: 'LAST_NAME',
    ADDRESS_LINE_1: textColumn('ADDRESS_LINE_1'),
    ADDRESS_LINE_2: textColumn('ADDRESS_LINE_2'),
    CITY: 'CITY',
    STATE_PROVINCE_REGION: 'STATE',
    POSTAL_CODE: 'POSTAL_CODE',
    COUNTRY: 'COUNTRY',
    ALTERNATE_EMAILS: null,
    PHONE_NUMBER: textColumn('PHONE_NUMBER'),
    WHATSAPP: textColumn('WHATSAPP'),
    LINE: textColumn('LINE'),
    FACEBOOK: textColumn('FACEBOOK'),
    UNIQUE_NAME: textColumn('UNIQUE_NAME'),
    CREATED_AT: { field: 'CREATED_AT', date_format: 'ymd' },
    UPDATED_AT: null,
    CONTACT_ID: null,
    PHONE_NUMBER_ID: null,
    EXTERNAL_ID: textColumn('EXTERNAL_ID'),
    ANONYMOUS_ID: null,
  },
  optOut: [],
};

/**
 * The suppression files of SendGrid: global unsubscribes, bounces, spam reports and invalid
 * addresses. `created` is the time of the opt-out, so it is not the sign-up date.
 */
export const sendgridSuppressions: ImportPreset = {
  id: 'sendgrid_suppressions',
  title: 'SendGrid: suppressions',
  signature: ['email', 'created'],
  onlyWith: ['status', 'reason', 'ip', 'created_at', 'group_id', 'group_name'],
  columns: {
    email: 'EMAIL',
    created: null,
    created_at: null,
    status: null,
    reason: null,
    ip: null,
    group_id: null,
    group_name: null,
  },
  optOut: ['email'],
};
