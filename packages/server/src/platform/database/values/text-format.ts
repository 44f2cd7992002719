/** A value of a COPY column or an array element. */
export type TextValue = string | number | boolean | null;

/** Formats a value for COPY in text format. */
export function copyText(value: TextValue): string {
  if (value === null) return '\\N';
  if (typeof value !== 'string') return String(value);
  // Few values have such characters, and the test is much cheaper than the replacement.
  if (!/[\\\t\n\r]/.test(value)) return value;
  return value.replaceAll('\\', '\\\\').replaceAll('\t', '\\t').replaceAll('\n', '\\n').replaceAll('\r', '\\r');
}

/**
 * Makes the literal of an array, such as `{"a b",NULL,"3"}`, as a parameter for `$1::text[]`.
 * `value` returns the element of an item.
 */
export function arrayLiteral(values: Iterable<TextValue>): string;
export function arrayLiteral<T>(items: Iterable<T>, value: (item: T) => TextValue): string;
export function arrayLiteral<T>(items: Iterable<T>, value = (item: T) => item as TextValue): string {
  // `join` makes one flat text. The pieces of `+=` would cost the garbage collector more.
  const texts: string[] = [];
  for (const item of items) texts.push(arrayText(value(item)));
  return `{${texts.join(',')}}`;
}

function arrayText(value: TextValue): string {
  if (value === null) return 'NULL';
  if (typeof value !== 'string') return String(value);
  return `"${/["\\]/.test(value) ? value.replaceAll('\\', '\\\\').replaceAll('"', '\\"') : value}"`;
}
