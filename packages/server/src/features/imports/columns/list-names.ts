import { plainName } from '@roster/contract';

/** Maximum number of lists that the names in the cells of an import can create. */
export const maxListNames = 500;

/** Maximum number of characters of the name of a list. */
const nameLength = 255;

/**
 * Returns the names of lists in a cell. A name can be in double quotes, as Mailchimp writes tags:
 * `"VIP","Blog"`. An array of NDJSON has one name in each item.
 */
export function listNamesIn(value: unknown, separator: string): string[] {
  if (Array.isArray(value)) return value.flatMap((item) => (typeof item === 'string' ? listNamesIn(item, '\0') : []));
  if (typeof value !== 'string') return [];
  const names = value.includes('"') ? quotedNames(value, separator) : value.split(separator);
  return names.map(plainName).filter((name) => name !== '' && name.length <= nameLength);
}

function quotedNames(text: string, separator: string): string[] {
  const names: string[] = [];
  let name = '';
  let isQuoted = false;
  for (let at = 0; at < text.length; at++) {
    if (text[at] === '"') {
      if (isQuoted && text[at + 1] === '"') name += text[at++];
      else isQuoted = !isQuoted;
    } else if (!isQuoted && text.startsWith(separator, at)) {
      names.push(name);
      name = '';
      at += separator.length - 1;
    } else name += text[at];
  }
  return [...names, name];
}

/** Returns the name of a list as it is compared: in lower case. */
export function listKey(name: string): string {
  return name.toLowerCase();
}
