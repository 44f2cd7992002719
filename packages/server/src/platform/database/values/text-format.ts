/** A value of a COPY column or an array element: null, or its text form. */
export type TextValue = string | number | boolean | null;

/** A value as COPY reads it in text format. */
export function copyText(value: TextValue): string {
  if (value === null) return '\\N';
  if (typeof value !== 'string') return String(value);
  // Nearly no value has one of these; the test is much cheaper than the replacement.
  if (!/[\\\t\n\r]/.test(value)) return value;
  return value.replaceAll('\\', '\\\\').replaceAll('\t', '\\t').replaceAll('\n', '\\n').replaceAll('\r', '\\r');
}

/** The literal of an array of scalars, such as `{"a b",NULL,"3"}`, as a parameter for `$1::text[]`; `value` picks them out of the items. */
export function arrayLiteral(values: Iterable<TextValue>): string;
export function arrayLiteral<T>(items: Iterable<T>, value: (item: T) => TextValue): string;
export function arrayLiteral<T>(items: Iterable<T>, value = (item: T) => item as TextValue): string {
  // Joined, they are one text. With `+=` they would be a chain of as many pieces, which the garbage collector copies.
  const texts: string[] = [];
  for (const item of items) texts.push(arrayText(value(item)));
  return `{${texts.join(',')}}`;
}

function arrayText(value: TextValue): string {
  if (value === null) return 'NULL';
  if (typeof value !== 'string') return String(value);
  return `"${/["\\]/.test(value) ? value.replaceAll('\\', '\\\\').replaceAll('"', '\\"') : value}"`;
}
