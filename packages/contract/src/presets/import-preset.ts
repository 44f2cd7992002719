import type { OptOutChannel } from '../shapes/contacts/contacts.ts';
import type { GivenColumn } from '../shapes/service/import-columns.ts';

/** The ids of the presets: files of other programs whose columns are known. */
export const importPresetIds = [
  'mailchimp',
  'sendgrid',
  'sendgrid_suppressions',
  'hubspot',
  'listmonk',
  'klaviyo',
  'klaviyo_suppressions',
  'spreadsheet',
] as const;

/** The id of a preset. */
export type ImportPresetId = (typeof importPresetIds)[number];

/** How files of another program are imported. */
export interface ImportPreset {
  readonly id: ImportPresetId;
  /** The name of the program, and what the file has. */
  readonly title: string;
  /**
   * Columns that such a file always has. A file is recognized by them. Empty: the preset is never
   * recognized.
   */
  readonly signature: readonly string[];
  /** The file is not recognized when it has any column except `signature` and these. */
  readonly onlyWith?: readonly string[];
  /** The meaning of columns, by their headers. Headers are compared with {@link headerKey}. */
  readonly columns: Readonly<Record<string, GivenColumn>>;
  /** The meaning of columns whose headers match a pattern. */
  readonly patterns?: readonly (readonly [header: RegExp, column: GivenColumn])[];
  /** Channels that every contact of the file is opted out of. */
  readonly optOut: readonly OptOutChannel[];
}

/** Returns a header as presets compare it: letters and digits in lower case. */
export function headerKey(header: string): string {
  return header
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]+/gu, ' ')
    .trim();
}

/** A column with the words of an opt-out state. */
export function optOutColumn(
  values?: Readonly<Record<string, 'opt_out' | 'nothing'>>,
  other_values?: 'fail' | 'opt_out' | 'nothing',
): GivenColumn {
  return {
    field: 'EMAIL_OPTED_OUT',
    ...(values === undefined ? {} : { values: { ...values } }),
    ...(other_values === undefined ? {} : { other_values }),
  };
}

/** A column that becomes a text attribute, which is created if it does not exist. */
export function textColumn(field: string): GivenColumn {
  return { field, data_type: 'text' };
}
