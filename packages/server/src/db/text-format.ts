/** A value of a COPY column or an array element: null, or its text form. */
export type TextValue = string | number | boolean | null;

/** One line of COPY in text format. */
export function copyLine(values: readonly TextValue[]): string {
  let line = '';
  for (let at = 0; at < values.length; at++) {
    const value = values[at]!;
    if (at > 0) line += '\t';
    if (value === null) line += '\\N';
    else line += typeof value === 'string' ? escapeCopy(value) : String(value);
  }
  return `${line}\n`;
}

function escapeCopy(text: string): string {
  // Nearly no value has one of these; the test is much cheaper than the replacement.
  if (!/[\\\t\n\r]/.test(text)) return text;
  return text.replaceAll('\\', '\\\\').replaceAll('\t', '\\t').replaceAll('\n', '\\n').replaceAll('\r', '\\r');
}

/** The literal of an array of scalars, such as `{"a b",NULL,"3"}`, as a parameter for `$1::text[]`. */
export function arrayLiteral(values: Iterable<TextValue>): string {
  let literal = '';
  for (const value of values) {
    literal += literal === '' ? '{' : ',';
    if (value === null) literal += 'NULL';
    else if (typeof value === 'string')
      literal += `"${/["\\]/.test(value) ? value.replaceAll('\\', '\\\\').replaceAll('"', '\\"') : value}"`;
    else literal += String(value);
  }
  return literal === '' ? '{}' : `${literal}}`;
}
