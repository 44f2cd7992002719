/**
 * How other programs write numbers:
 * - `comma`: with a decimal comma, such as `1.234,50` or `99,90`
 * - `point`: with a decimal point and separated thousands, such as `1,234.50`
 *
 * Thousands can also be separated by blanks or apostrophes.
 */
export const writtenNumberFormats = ['comma', 'point'] as const;

/** How a program writes numbers. */
export type WrittenNumberFormat = (typeof writtenNumberFormats)[number];

// All thousands of a number have the same separator.
const patterns = {
  comma: /^([+-]?)(\d{1,3}(?:([.\u0020\u00a0\u202f'’])\d{3})(?:\3\d{3})*|\d+)(?:,(\d+))?$/,
  point: /^([+-]?)(\d{1,3}(?:([,\u0020\u00a0\u202f'’])\d{3})(?:\3\d{3})*|\d+)(?:\.(\d+))?$/,
} as const satisfies Record<WrittenNumberFormat, RegExp>;

/** Longer texts are not numbers. */
const maxLength = 64;

/**
 * Reads a number that another program has written. Returns it with a decimal point and without
 * separators, such as `1234.50`, or undefined when the text is not a number in this format.
 */
export function readWrittenNumber(text: string, format: WrittenNumberFormat): string | undefined {
  const trimmed = text.trim();
  const match = trimmed.length > maxLength ? null : patterns[format].exec(trimmed);
  if (match === null) return undefined;
  const [, sign = '', whole, , fraction] = match;
  return `${sign}${whole!.replaceAll(/\D/g, '')}${fraction === undefined ? '' : `.${fraction}`}`;
}
