import { isLongerThan, plainName } from '@roster/contract';

/** Maximum number of lists that the names in the cells of an import can create. */
export const maxListNames = 500;

/** Maximum number of characters of the name of a list. */
const nameLength = 255;

/** The names of lists in a cell. */
interface ListNames {
  readonly names: readonly string[];
  /** True when a name is too long, or when a value is neither a text nor a number. */
  readonly hasInvalid: boolean;
}

/**
 * Returns the names of lists in a cell. A name can be in double quotes, as Mailchimp writes tags:
 * `"VIP","Blog"`. An array of NDJSON has one name in each item. A number is the name with its
 * digits.
 */
export function listNamesIn(value: unknown, separator: string): ListNames {
  const all = allNames(value, separator);
  const names = all.filter((name) => name !== undefined && !isLongerThan(name, nameLength)) as string[];
  return { names, hasInvalid: names.length < all.length };
}

/** Returns all names, also long ones. Undefined stands for a value that cannot be a name. */
function allNames(value: unknown, separator: string): (string | undefined)[] {
  if (Array.isArray(value)) return value.flatMap((item) => (Array.isArray(item) ? [undefined] : allNames(item, '\0')));
  if (value === null || value === undefined) return [];
  if (typeof value === 'number') return [String(value)];
  if (typeof value !== 'string') return [undefined];
  const names = value.includes('"') ? quotedNames(value, separator) : value.split(separator);
  return names.map(plainName).filter((name) => name !== '');
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
