/** A request before it is written as bytes. Parts of it may violate HTTP. */
export interface Draft {
  method: string;
  /** Path and query, exactly as the request line has them. */
  url: string;
  version: string;
  headers: [name: string, value: string][];
  body: Buffer | undefined;
  /**
   * How the length of the body is sent: a correct `Content-Length`, chunks, or only what `headers`
   * say.
   */
  framing: 'length' | 'chunked' | 'as it is';
  /**
   * False when more was changed than the body, the query and the values of ids. Any documented
   * refusal is then correct.
   */
  isIntact: boolean;
  /**
   * True if the bytes may be an incomplete request, or two requests. The service may then close the
   * connection without an answer, and the connection is not used again.
   */
  isTorn: boolean;
  /** True if our side closes the connection after the answer. */
  closes: boolean;
  /** Names of the changes, for the report. */
  readonly changes: string[];
}

/** Returns the bytes of a request. */
export function bytesOf({ method, url, version, headers, body, framing }: Draft): Buffer {
  const lines = [`${method} ${url} ${version}`, ...headers.map(([name, value]) => `${name}: ${value}`)];
  if (framing === 'chunked') lines.push('transfer-encoding: chunked');
  else if (framing === 'length' && body !== undefined) lines.push(`content-length: ${body.length}`);
  // Characters outside of ASCII in headers are sent as UTF-8.
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

/** Sets a header, and removes other headers of the same name. */
export function setHeader(draft: Draft, name: string, value: string): void {
  draft.headers = [...draft.headers.filter(([other]) => other.toLowerCase() !== name), [name, value]];
}
