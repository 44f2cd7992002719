/**
 * Options of the COPY of activities. A vertical bar separates the fields, because JSON, in which they wait, has to escape tabs; nothing at
 * all is null, because no text of an activity is empty.
 */
export const copyOptions = `delimiter '|', null ''`;

/** A text as a field of a line of COPY with {@link copyOptions}; undefined is null. */
export function copyField(text: string | undefined): string {
  if (text === undefined) return '';
  // Nearly none has one of these; the test is much cheaper than the replacement.
  if (!/[\\|\n\r]/.test(text)) return text;
  return text.replaceAll('\\', '\\\\').replaceAll('|', '\\|').replaceAll('\n', '\\n').replaceAll('\r', '\\r');
}

/** The fields of a line that {@link copyField} made; undefined for null. */
export function copyFields(line: string): (string | undefined)[] {
  const fields = [...line.matchAll(/((?:[^|\\]|\\.)*)(?:\||$)/gs)].map(([, field]) => field!);
  // Behind the last field, which has no bar, the expression finds nothing at the end.
  if (fields.length > 1 && !line.endsWith('|')) fields.pop();
  return fields.map((field) =>
    field === '' ? undefined : field.replaceAll(/\\(.)/gs, (_, letter: string) => unescaped(letter)),
  );
}

function unescaped(letter: string): string {
  if (letter === 'n') return '\n';
  return letter === 'r' ? '\r' : letter;
}
