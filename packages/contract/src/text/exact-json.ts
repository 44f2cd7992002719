import { isExactNumber } from './text.ts';

// A match in a string only costs time. Nearly all texts have no match.
const longInteger = /[:[,]\s*-?\d{16}/;

/**
 * Parses JSON like JSON.parse, but an integer above 2^53 becomes its text, so that it keeps all of
 * its digits. Throws a `SyntaxError` when the text is not JSON.
 *
 * In an old browser, the integer stays a rounded number.
 */
export function parseExactJson(text: string): unknown {
  if (!longInteger.test(text)) return JSON.parse(text);
  return JSON.parse(text, (_key, value: unknown, context?: { readonly source?: string }) =>
    typeof value === 'number' && !isExactNumber(value) ? (context?.source ?? value) : value,
  );
}
