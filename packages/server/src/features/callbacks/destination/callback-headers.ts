import { callbackLimits, type Faults } from '@roster/contract';

/** A header that a caller adds to its callbacks. */
export interface CallbackHeader {
  readonly name: string;
  readonly value: string;
}

// The token of RFC 9110 §5.6.2.
const token = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/;
// Printable ASCII and tabs, which every server reads the same way. Without CR and LF a value cannot
// begin another header.
const printable = /^[\t\x20-\x7E]*$/;

/** Headers of the connection (RFC 9110 §7.6.1) and of the framing. */
const transportHeaders = new Set([
  'connection',
  'content-encoding',
  'content-length',
  'expect',
  'host',
  'http2-settings',
  'keep-alive',
  'proxy-authenticate',
  'proxy-authorization',
  'proxy-connection',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
]);

/**
 * Checks the headers that a caller adds to its callbacks. Reports each fault at `[index]`.
 *
 * `Content-Type` and `User-Agent` are allowed, and replace the values of Roster. These are refused:
 * headers that Roster sets, {@link transportHeaders}, repeated names, and characters outside
 * printable ASCII.
 */
export function checkCallbackHeaders(headers: readonly CallbackHeader[], faults: Faults): void {
  const { headers: count, headerCharacters: characters } = callbackLimits;
  if (headers.length > count) {
    faults.add('too_many_items', `must have at most ${count} headers`);
    return;
  }
  const seen = new Set<string>();
  for (const [index, header] of headers.entries()) {
    const before = faults.count;
    checkHeader(header, faults);
    const name = header.name.toLowerCase();
    if (seen.has(name)) faults.add('not_allowed', 'is given twice. Leave one of them out');
    seen.add(name);
    faults.prefix(before, index);
  }
  const size = headers.reduce((sum, { name, value }) => sum + name.length + value.length, 0);
  if (size > characters)
    faults.add('too_long', `must have at most ${characters} characters, names and values together`);
}

function checkHeader({ name, value }: CallbackHeader, faults: Faults): void {
  const lower = name.toLowerCase();
  if (!token.test(name)) {
    faults.add('invalid_format', 'must have a header name of letters, digits and -, such as X-Api-Token');
  } else if (transportHeaders.has(lower)) {
    faults.add('not_allowed', `must be left out, because Roster sets the header ${lower} itself`);
  } else if (lower.startsWith('x-roster-')) {
    faults.add(
      'not_allowed',
      'must not begin with X-Roster-, because Roster sets these headers itself. Use another name',
    );
  }
  if (!printable.test(value)) {
    faults.add(
      'invalid_format',
      'must have a value of printable ASCII characters on one line. Encode other characters',
    );
  }
}
