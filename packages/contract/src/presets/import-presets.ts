import type { GivenColumn } from '../shapes/service/import-columns.ts';
import { hubspot } from './hubspot.ts';
import { headerKey, type ImportPreset, type ImportPresetId } from './import-preset.ts';
import { klaviyo, klaviyoSuppressions } from './klaviyo.ts';
import { listmonk } from './listmonk.ts';
import { mailchimp } from './mailchimp.ts';
import { sendgrid, sendgridSuppressions } from './sendgrid.ts';
import { spreadsheet } from './spreadsheet.ts';

/** All presets. */
export const importPresets: readonly ImportPreset[] = [
  mailchimp,
  sendgrid,
  sendgridSuppressions,
  hubspot,
  listmonk,
  klaviyoSuppressions,
  klaviyo,
  spreadsheet,
];

/** Returns a preset by its id. */
export function importPreset(id: ImportPresetId): ImportPreset {
  return importPresets.find((preset) => preset.id === id)!;
}

/** Finds the preset of a file by its headers; undefined when no program is recognized. */
export function recognizePreset(headers: readonly string[]): ImportPreset | undefined {
  const keys = new Set(headers.map(headerKey));
  return importPresets.find(({ signature, onlyWith }) => {
    if (signature.length === 0 || !signature.every((header) => keys.has(headerKey(header)))) return false;
    if (onlyWith === undefined) return true;
    const allowed = new Set([...signature, ...onlyWith].map(headerKey));
    return [...keys].every((key) => allowed.has(key));
  });
}

/**
 * Returns the meaning that a preset gives to the columns of a file, by their headers. Columns that
 * the preset does not know are absent.
 *
 * If two columns of the file have the same meaning, the first one gets it. Several columns can opt
 * a contact out.
 */
export function presetColumns(preset: ImportPreset, headers: readonly string[]): Map<string, GivenColumn> {
  const known = new Map(Object.entries(preset.columns).map(([header, column]) => [headerKey(header), column]));
  const taken = new Set<string>();
  const found = new Map<string, GivenColumn>();
  for (const header of headers) {
    const key = headerKey(header);
    const column = known.has(key) ? known.get(key)! : preset.patterns?.find(([pattern]) => pattern.test(key))?.[1];
    if (column === undefined) continue;
    const target =
      typeof column === 'string' ? column : column !== null && 'field' in column ? column.field : undefined;
    if (target !== undefined && !target.endsWith('_OPTED_OUT')) {
      if (taken.has(target)) continue;
      taken.add(target);
    }
    found.set(header, column);
  }
  return found;
}
