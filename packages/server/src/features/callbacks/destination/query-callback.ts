/** Maximum characters of `callbackBody` in the query of a GET callback, after percent-encoding. */
export const queryBodyMaxLength = 4000;

// Common servers refuse a request line of more than 8,000 characters. The endpoint has up to 2,000
// and `callbackBody` up to 4,000.
const errorMaxLength = 1000;

/**
 * Returns the URL of a GET callback: the endpoint, with the fields of the payload added to its
 * query.
 *
 * Null fields are left out, objects become JSON, and a space becomes `%20`, which every query
 * parser understands. A long `error` is cut.
 */
export function urlWithQuery(endpoint: string, payload: object): string {
  const url = new URL(endpoint);
  const parameters = Object.entries(payload)
    .filter(([, value]) => value !== null && value !== undefined)
    .map(([name, value]) => `${name}=${name === 'error' ? cut(String(value)) : encodedValue(value)}`);
  url.search = [url.search.slice(1), ...parameters].filter((part) => part !== '').join('&');
  return url.href;
}

/**
 * Returns the query of a URL, without the question mark. The signature of a GET callback covers it.
 */
export function queryOf(url: string): string {
  return new URL(url).search.slice(1);
}

/** Encodes a value for the query of a GET callback. */
export function encodedValue(value: unknown): string {
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  // encodeURIComponent throws for a lone surrogate.
  return encodeURIComponent(text.toWellFormed()).replaceAll("'", '%27');
}

function cut(text: string): string {
  const whole = encodedValue(text);
  if (whole.length <= errorMaxLength) return whole;
  let kept = '';
  for (const character of text) {
    const next = kept + encodedValue(character);
    // The encoded ellipsis has nine characters.
    if (next.length > errorMaxLength - 9) break;
    kept = next;
  }
  return kept + encodedValue('…');
}
