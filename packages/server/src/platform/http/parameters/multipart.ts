/** The longest delimiter that RFC 2046 allows, with the dashes before it. */
const delimiter = /^--(\S{1,70})\r\n/;

/**
 * True when a body looks like a form in parts (multipart/form-data), which begins with its
 * delimiter.
 */
export function looksLikeParts(body: string): boolean {
  return delimiter.test(body);
}

/**
 * Reads a form in parts, such as `curl -F` and Postman send; a file counts as its text. Throws a
 * `TypeError` when it cannot be read.
 */
export async function readParts(body: string): Promise<[name: string, value: string][]> {
  const boundary = delimiter.exec(body)?.[1] ?? '';
  const response = new Response(body, { headers: { 'content-type': `multipart/form-data; boundary="${boundary}"` } });
  const parts: [name: string, value: string][] = [];
  for (const [name, value] of await response.formData()) {
    parts.push([name, typeof value === 'string' ? value : await value.text()]);
  }
  return parts;
}
