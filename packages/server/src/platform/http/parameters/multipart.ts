/** Matches the longest delimiter that RFC 2046 allows, with its dashes. */
const delimiter = /^--(\S{1,70})\r\n/;

/** True for a body that begins with a delimiter, as multipart/form-data does. */
export function looksLikeParts(body: string): boolean {
  return delimiter.test(body);
}

/**
 * Reads multipart/form-data, as `curl -F` and Postman send it. A file counts as its text. Throws a
 * `TypeError` when it is invalid.
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
