/**
 * Reads a form: `name=value&name=value`.
 *
 * A value that begins with `{` or `"` is JSON as it stands, up to its end: clients write `data={…}`
 * without encoding it, and `&`, `+` and `%` in it mean themselves. Every other value is decoded:
 * `%40` is a character, `+` a space. A text that is encoded as a whole (`data%3D%7B…`) is decoded
 * first.
 */
export function readForm(text: string): [name: string, value: string][] {
  if (!text.includes('=')) {
    const decoded = decode(text);
    return decoded.includes('=') ? readForm(decoded) : [];
  }
  const pairs: [string, string][] = [];
  for (let at = 0; at < text.length;) {
    const nameEnd = indexOr(text, /[=&]/g, at);
    const name = decode(text.slice(at, nameEnd));
    if (text[nameEnd] !== '=') {
      at = nameEnd + 1;
      continue;
    }
    const json = jsonAt(text, nameEnd + 1);
    const valueEnd = json?.end ?? indexOr(text, /&/g, nameEnd + 1);
    pairs.push([name, json?.value ?? decode(text.slice(nameEnd + 1, valueEnd))]);
    at = valueEnd + 1;
  }
  return pairs;
}

/** Where an expression next matches, or the end of the text. */
function indexOr(text: string, expression: RegExp, from: number): number {
  expression.lastIndex = from;
  return expression.exec(text)?.index ?? text.length;
}

/** The percent-decoded text; what is no encoding stays as it is. */
function decode(text: string): string {
  const spaced = text.replaceAll('+', ' ');
  try {
    return decodeURIComponent(spaced);
  } catch {
    return spaced;
  }
}

/**
 * A JSON value at a place, and where the next parameter begins; undefined where the text does not
 * look like one.
 */
function jsonAt(text: string, from: number): { value: string; end: number } | undefined {
  const start = indexOr(text, /\S/g, from);
  if (text[start] !== '{' && text[start] !== '"') return undefined;
  const end = endOfJson(text, start);
  const next = indexOr(text, /\S/g, end);
  // What follows belongs to it, if it is not another parameter: then it is no JSON, which shows
  // when it is read.
  const last = next === text.length || text[next] === '&' ? next : text.length;
  return { value: text.slice(start, next === last ? end : last), end: last };
}

/** The end of the object or the string that begins at a place. Looks at each character once. */
function endOfJson(text: string, start: number): number {
  let depth = 0;
  let isInString = false;
  for (let at = start; at < text.length; at++) {
    const character = text[at];
    if (isInString) {
      if (character === '\\') at++;
      else if (character === '"') isInString = false;
    } else if (character === '"') isInString = true;
    else if (character === '{' || character === '[') depth++;
    else if (character === '}' || character === ']') depth--;
    if (!isInString && depth <= 0) return at + 1;
  }
  return text.length;
}
