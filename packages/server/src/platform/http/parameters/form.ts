/**
 * Reads a form: `name=value&name=value`.
 *
 * A value that begins with `{` or `"` is read as plain JSON, up to its end: clients write
 * `data={…}` without encoding, and `&`, `+` and `%` in it have no special meaning. If its quotes are
 * encoded, as browsers do in a URL (`data={%22…`), so is the rest, except `&` and `+`. All other values
 * are decoded: `%40` is a character, `+` is a space. A text that is encoded as a whole
 * (`data%3D%7B…`) is decoded first.
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

/** Returns the index of the next match, or the end of the text. */
function indexOr(text: string, expression: RegExp, from: number): number {
  expression.lastIndex = from;
  return expression.exec(text)?.index ?? text.length;
}

/** Decodes percent-encoding and `+`; returns text that is not valid encoding without `+`. */
function decode(text: string): string {
  return decodePercent(text.replaceAll('+', ' '));
}

/** Decodes percent-encoding; returns text that is not valid encoding unchanged. */
export function decodePercent(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

const spaces = /(?:\s|%(?:20|09|0a|0d))*/iy;

/** Returns the index after spaces, which can be encoded. */
function afterSpaces(text: string, from: number): number {
  spaces.lastIndex = from;
  spaces.exec(text);
  return spaces.lastIndex;
}

/** Returns the JSON value at an index and its end; undefined if it does not look like JSON. */
function jsonAt(text: string, from: number): { value: string; end: number } | undefined {
  const start = afterSpaces(text, from);
  if (text[start] !== '{' && text[start] !== '"') return undefined;
  const isEncoded = text[start] === '{' && text.startsWith('%22', afterSpaces(text, start + 1));
  const end = endOfJson(text, start, isEncoded);
  const next = afterSpaces(text, end);
  // If something other than the next parameter follows, take it as part of the value. Then the
  // value is not JSON, and reading it fails.
  const last = next === text.length || text[next] === '&' ? next : text.length;
  const value = text.slice(start, next === last ? end : last);
  return { value: isEncoded ? decodePercent(value) : value, end: last };
}

/** Returns the end of the object or string that begins at `start`. Reads each character once. */
function endOfJson(text: string, start: number, isEncoded: boolean): number {
  let depth = 0;
  let isInString = false;
  let isEscaped = false;
  for (let at = start; at < text.length; at++) {
    let character = text[at];
    if (isEncoded && character === '%') {
      character = String.fromCharCode(Number.parseInt(text.slice(at + 1, at + 3), 16));
      at += 2;
    }
    if (isInString) {
      if (isEscaped) isEscaped = false;
      else if (character === '\\') isEscaped = true;
      else if (character === '"') isInString = false;
    } else if (character === '"') isInString = true;
    else if (character === '{' || character === '[') depth++;
    else if (character === '}' || character === ']') depth--;
    if (!isInString && depth <= 0) return at + 1;
  }
  return text.length;
}
