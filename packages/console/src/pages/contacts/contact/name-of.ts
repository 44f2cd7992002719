import type { ContactProfile } from '@roster/client';
import { cutText } from '#components/values/format.ts';

/** Longer names are cut off. The attributes show them completely. */
const longestName = 120;

/** Returns the name of a person from the attributes; undefined if there is none, or it is masked. */
export function nameOf({ attributes }: ContactProfile, seesUnmasked: boolean): string | undefined {
  const parts = ['FIRST_NAME', 'LAST_NAME'].map((wanted) => {
    const found = attributes.find(({ name }) => name === wanted);
    if (found === undefined || (found.data_masking !== 'none' && !seesUnmasked)) return '';
    return String(found.value ?? '').trim();
  });
  const name = parts.filter((part) => part !== '').join(' ');
  return name === '' ? undefined : cutText(name, longestName);
}
