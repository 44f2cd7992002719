import { importLimits, isLongerThan, isStorable, upperCaseName } from '@roster/contract';
import { ImportFailure } from '../store/import-failure.ts';

/**
 * Returns the name that a header of CSV or a key of a JSON object stands for. `First name` and
 * `attributes.first_name` both stand for `FIRST_NAME`.
 */
export function nameOf(header: string): string {
  return upperCaseName(header.trim().replace(/^attributes\./i, '')).replaceAll(/[\s.-]+/g, '_');
}

/**
 * Checks a header of CSV or a key of a JSON object. Throws `header_invalid` when it is too long, or
 * when the database cannot store it.
 */
export function requireUsableHeader(header: string): void {
  const reason = isLongerThan(header, importLimits.headerCharacters)
    ? `has more than ${importLimits.headerCharacters} characters`
    : isStorable(header)
      ? undefined
      : 'contains U+0000 or half of a surrogate pair';
  if (reason === undefined) return;
  const shown = header.slice(0, 64).toWellFormed().replaceAll('\0', '\ufffd');
  throw new ImportFailure('header_invalid', `The name of the column "${shown}" ${reason}. Rename the column.`);
}
