import type { ContactType } from '@roster/contract';

/** The columns of `contact_counts` that count events. */
export const eventColumns = [
  'created',
  'deleted',
  'created_since_deleted',
  'email_opted_out',
  'sms_opted_out',
  'whatsapp_opted_out',
  'email_opted_in',
  'sms_opted_in',
  'whatsapp_opted_in',
] as const;

/** The types of contacts, in the order of their columns. */
export const countedTypes = [
  'anonymous',
  'identified',
  'unconfirmed',
  'confirmed',
  'blacklisted',
] as const satisfies readonly ContactType[];

/** The columns of `contact_counts` with net changes. `contact_totals` has their sums. */
export const levelColumns = [...countedTypes, 'email_reach', 'sms_reach', 'whatsapp_reach'] as const;

/** All counters of a row of `contact_counts`, in the order of the columns. */
export const countColumns = [...eventColumns, ...levelColumns] as const;

/** All numbers of a row of `contact_totals`. */
export const totalColumns = [...levelColumns, 'identities'] as const;

/** Milliseconds of one row of `contact_counts`. Days of every time zone begin on such a moment. */
export const quarterHour = 900_000;
