/** A request before it is written as bytes; parts of it may be what HTTP does not allow. */
export interface Draft {
  method: string;
  /** Path and query, as they stand in the first line. */
  url: string;
  version: string;
  headers: [name: string, value: string][];
  body: Buffer | undefined;
  /** How the length of the body is told: by the right `Content-Length`, in chunks, or as `headers` have it. */
  framing: 'length' | 'chunked' | 'as it is';
  /** False once anything but the body, the query and the values of ids was changed: then any documented refusal will do. */
  isIntact: boolean;
  /** The request may be incomplete, or two of them: no answer is an answer, and the connection is not used again. */
  isTorn: boolean;
  /** Any answer ends the connection on our side. */
  closes: boolean;
  /** What was changed, for people. */
  readonly changes: string[];
}

/** The bytes of a request. */
export function bytesOf({ method, url, version, headers, body, framing }: Draft): Buffer {
  const lines = [`${method} ${url} ${version}`, ...headers.map(([name, value]) => `${name}: ${value}`)];
  if (framing === 'chunked') lines.push('transfer-encoding: chunked');
  else if (framing === 'length' && body !== undefined) lines.push(`content-length: ${body.length}`);
  // Headers are bytes: what is not ASCII is sent as UTF-8.
  const head = Buffer.from(`${lines.join('\r\n')}\r\n\r\n`);
  if (body === undefined) return head;
  return Buffer.concat([head, framing === 'chunked' ? chunksOf(body) : body]);
}

function chunksOf(body: Buffer): Buffer {
  const middle = Math.ceil(body.length / 2);
  const parts = [body.subarray(0, middle), body.subarray(middle)].filter((part) => part.length > 0);
  return Buffer.concat([
    ...parts.flatMap((part) => [Buffer.from(`${part.length.toString(16)}\r\n`), part, Buffer.from('\r\n')]),
    Buffer.from('0\r\n\r\n'),
  ]);
}

/** Sets a header, in place of one of the same name. */
export function setHeader(draft: Draft, name: string, value: string): void {
  draft.headers = [...draft.headers.filter(([other]) => other.toLowerCase() !== name), [name, value]];
}
