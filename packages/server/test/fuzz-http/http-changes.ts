import { deflateSync, gzipSync } from 'node:zlib';
import type { Random } from '../crash/random.ts';
import { junkKeys, junkTexts } from '../fuzz/junk.ts';
import { setHeader, type Draft } from './draft.ts';

/** One change to a part of a request other than its body: headers, path, method, framing. */
type Change = (draft: Draft, random: Random) => void;

// No line breaks: only `injectHeader` tries texts that end a header line.
const headerTexts = junkTexts.filter((text) => text.length < 300 && !/[\r\n]/.test(text));
const pathTexts = [...headerTexts, ...junkKeys];

const changes: Readonly<Record<string, Change>> = {
  contentType: (draft, random) =>
    setHeader(
      draft,
      'content-type',
      random.pick([
        'application/json; charset=utf-8',
        'application/json;charset=utf-16',
        'application/json; charset="iso-8859-1"',
        'APPLICATION/JSON',
        'application/merge-patch+json',
        'text/json',
        'text/plain',
        'application/x-ndjson',
        'application/x-www-form-urlencoded',
        'multipart/form-data; boundary=x',
        'multipart/form-data',
        'application/json, text/plain',
        'application/jsonp',
        'application/octet-stream',
        ';',
        '',
      ]),
    ),
  noContentType: (draft) => {
    draft.headers = draft.headers.filter(([name]) => name !== 'content-type');
  },
  utf16: (draft) => {
    draft.body = Buffer.from(draft.body?.toString() ?? '', 'utf16le');
  },
  byteOrderMark: (draft) => {
    draft.body = Buffer.concat([Buffer.from([0xef, 0xbb, 0xbf]), draft.body ?? Buffer.alloc(0)]);
  },
  latin1: (draft) => {
    draft.body = Buffer.from(`${draft.body?.toString() ?? ''}é`, 'latin1');
  },
  gzip: (draft, random) => {
    setHeader(draft, 'content-encoding', random.pick(['gzip', 'GZIP', 'x-gzip']));
    draft.body = gzipSync(draft.body ?? '', { level: 1 });
  },
  brokenGzip: (draft, random) => {
    setHeader(draft, 'content-encoding', 'gzip');
    const compressed = gzipSync(draft.body ?? '', { level: 1 });
    draft.body = random.pick([
      compressed.subarray(0, random.integer(0, compressed.length - 1)),
      compressed.fill(random.integer(0, 255), random.integer(0, compressed.length - 1)),
      Buffer.concat([compressed, compressed]),
      Buffer.concat([compressed, Buffer.from('rest')]),
      gzipSync(compressed, { level: 1 }),
      draft.body ?? Buffer.alloc(0),
    ]);
  },
  otherEncoding: (draft, random) => {
    setHeader(
      draft,
      'content-encoding',
      random.pick(['deflate', 'br', 'identity', 'gzip, gzip', 'zstd', '', 'nothing']),
    );
    if (random.chance(0.5)) draft.body = deflateSync(draft.body ?? '');
  },
  gzipBomb: (draft) => {
    setHeader(draft, 'content-encoding', 'gzip');
    draft.body = bomb();
  },
  chunked: (draft) => {
    if (draft.body !== undefined) draft.framing = 'chunked';
  },
  wrongLength: (draft, random) => {
    draft.framing = 'as it is';
    const length = draft.body?.length ?? 0;
    const lie = random.pick([0, 1, length - 1, length + 1, length * 2, 2 ** 31, 2 ** 53, -1]);
    setHeader(draft, 'content-length', random.pick([String(lie), String(lie), 'x', '0x10', '1e3', `+${length}`, '']));
    draft.isTorn = true;
  },
  twoLengths: (draft, random) => {
    draft.framing = 'as it is';
    const length = draft.body?.length ?? 0;
    draft.headers.push(['content-length', String(length)], ['content-length', String(random.pick([length, 0, 5]))]);
    draft.isTorn = true;
  },
  // Request smuggling: a proxy that uses the other of the two lengths sees other requests.
  lengthAndChunks: (draft, random) => {
    draft.framing = 'chunked';
    draft.headers.push(['content-length', String(random.pick([0, 4, draft.body?.length ?? 0]))]);
    draft.isTorn = true;
  },
  brokenChunks: (draft, random) => {
    draft.framing = 'as it is';
    setHeader(
      draft,
      'transfer-encoding',
      random.pick(['chunked', 'chunked', 'gzip, chunked', 'xchunked', 'chunked, identity']),
    );
    const ends = [
      'zz\r\n',
      'ffffffffffffffff\r\nx',
      '5\r\nab\r\n',
      '5;x=y\r\nabcde\r\n0\r\nx-trailer: 1\r\n\r\n',
      '-1\r\n',
    ];
    draft.body = Buffer.from(random.pick(ends));
    draft.isTorn = true;
  },
  cutShort: (draft, random) => {
    draft.framing = 'as it is';
    const length = draft.body?.length ?? 0;
    setHeader(draft, 'content-length', String(length + 10));
    draft.body = draft.body?.subarray(0, random.integer(0, length));
    draft.isTorn = true;
  },
  secondRequestAfterFirst: (draft) => {
    draft.body = Buffer.concat([
      draft.body ?? Buffer.alloc(0),
      Buffer.from('GET /healthz HTTP/1.1\r\nhost: x\r\n\r\n'),
    ]);
    draft.framing = 'as it is';
    setHeader(draft, 'content-length', '0');
    draft.isTorn = true;
  },
  injectHeader: (draft, random) => {
    const value = random.pick([
      'x\r\nx-injected: 1',
      'x\r\n\r\nGET /healthz HTTP/1.1\r\n\r\n',
      'x\nx-injected: 1',
      'x\rx-injected: 1',
      'x\0y',
      'x\u007fy',
      'folded\r\n over two lines',
    ]);
    draft.headers.push([random.pick(['x-test', 'idempotency-key', 'accept', 'user-agent']), value]);
    draft.isTorn = true;
  },
  strangeHeader: (draft, random) => {
    const name = random.pick(['', ' x', 'x y', 'x\t', 'né', '__proto__', 'constructor', ':x', 'x'.repeat(300)]);
    draft.headers.push([name, random.pick(headerTexts)]);
    draft.isTorn = true;
  },
  manyHeaders: (draft, random) => {
    const count = random.pick([50, 200, 2500]);
    for (let number = 0; number < count; number++) draft.headers.push([`x-${number}`, 'y']);
    draft.isTorn = true;
  },
  largeHeader: (draft, random) => {
    draft.headers.push(['x-large', 'x'.repeat(random.pick([4000, 15_000, 17_000, 70_000]))]);
    draft.isTorn = true;
  },
  junkHeader: (draft, random) => {
    const name = random.pick([
      'accept',
      'accept-encoding',
      'accept-language',
      'accept-version',
      'connection',
      'cookie',
      'date',
      'forwarded',
      'if-match',
      'if-modified-since',
      'if-none-match',
      'if-range',
      'origin',
      'range',
      'content-range',
      'te',
      'traceparent',
      'upgrade',
      'user-agent',
      'via',
      'x-forwarded-for',
      'x-forwarded-host',
      'x-forwarded-proto',
      'x-http-method-override',
      'x-request-id',
      'http2-settings',
      'sec-fetch-site',
    ]);
    draft.headers.push([name, random.pick(headerTexts)]);
    // The service may close the connection because of these headers.
    if (['connection', 'upgrade', 'te'].includes(name)) draft.isTorn = true;
  },
  range: (draft, random) => {
    draft.headers.push([
      'range',
      random.pick(['bytes=0-0', 'bytes=-1', 'bytes=5-2', 'bytes=0-,5-6', 'lines=1-2', 'bytes=999999-']),
    ]);
  },
  expect: (draft, random) => {
    draft.headers.push(['expect', random.pick(['100-continue', '200-ok', 'x', ''])]);
    draft.isTorn = true;
  },
  idempotencyKey: (draft, random) => {
    const value = random.chance(0.7) ? `key-${random.integer(0, 300)}` : random.pick(headerTexts);
    draft.headers.push(['idempotency-key', value]);
    if (random.chance(0.05)) draft.headers.push(['idempotency-key', 'another']);
  },
  prefer: (draft, random) => {
    const value = random.chance(0.6) ? random.pick(['wait=1', 'respond-async, wait=1']) : random.pick(headerTexts);
    draft.headers.push(['prefer', value]);
  },
  host: (draft, random) => {
    draft.headers = draft.headers.filter(([name]) => name !== 'host');
    const hosts = [
      'evil.test',
      'localhost',
      '127.0.0.1',
      '[::1]',
      '',
      'a b',
      'x:99999',
      '127.0.0.1\u0000',
      'localhost.',
      '127.0.0.1@evil.test',
    ];
    const count = random.pick([0, 1, 1, 1, 1, 2]);
    for (let number = 0; number < count; number++) draft.headers.push(['host', random.pick(hosts)]);
    draft.isTorn = true;
  },
  credential: (draft, random) => {
    const isCredential = ([name]: [string, string]): boolean => name === 'api-key' || name === 'authorization';
    const value = draft.headers.find(isCredential)?.[1] ?? 'rk_x';
    draft.headers = draft.headers.filter((header) => !isCredential(header));
    draft.url = draft.url.replace(/([?&]apikey=)[^&]*/, `$1${random.pick(['', 'rk_wrong', '%00', 'a&apikey=b'])}`);
    const others = [
      '',
      ' ',
      'x',
      'rk_wrong',
      `${value} `,
      value.slice(1),
      value.toUpperCase(),
      `${value}x`,
      `${value}, ${value}`,
    ];
    const name = random.pick(['api-key', 'API-KEY', 'authorization', 'x-api-key', 'apikey', '']);
    if (name !== '') draft.headers.push([name, random.pick([...others, ...headerTexts])]);
    // The service slows down an address whose credentials fail. The next request must use another
    // address.
    draft.closes = true;
  },
  twoCredentials: (draft) => {
    draft.headers.push(['api-key', 'rk_other'], ['authorization', 'Bearer other']);
    draft.closes = true;
  },
  method: (draft, random) => {
    draft.method = random.pick([
      'GET',
      'HEAD',
      'POST',
      'PUT',
      'PATCH',
      'DELETE',
      'OPTIONS',
      'TRACE',
      'PROPFIND',
      'QUERY',
    ]);
    // An answer to HEAD has no body. Later bytes on the connection could be mistaken for a body.
    draft.closes = true;
  },
  brokenMethod: (draft, random) => {
    draft.method = random.pick(['get', 'Post', 'CONNECT', 'FOO', '', 'POST POST', 'P\0ST', 'X'.repeat(300), 'PRI']);
    draft.isTorn = true;
  },
  version: (draft, random) => {
    draft.version = random.pick([
      'HTTP/1.0',
      'HTTP/0.9',
      'HTTP/2.0',
      'HTTP/1.2',
      'HTTP/9.9',
      'HTTP',
      '',
      'http/1.1',
      'HTTP/1.1 x',
    ]);
    draft.isTorn = true;
  },
  traversal: (draft, random) => {
    const steps = random.pick([
      '/..',
      '/../../..',
      '/%2e%2e',
      '/..%2f..%2f',
      '/.',
      '//',
      '/%5c..',
      '/..;',
      '/%252e%252e',
      '\\..',
    ]);
    const [path, query] = split(draft.url);
    const at = random.integer(0, path.length);
    draft.url = join(
      path.slice(0, at) + steps + path.slice(at) + random.pick(['', '', '/etc/passwd', '/healthz']),
      query,
    );
  },
  pathText: (draft, random) => {
    const [path, query] = split(draft.url);
    const segments = path.split('/');
    segments[random.integer(1, segments.length - 1)] = encode(random.pick(pathTexts), random);
    draft.url = join(segments.join('/'), query);
  },
  pathShape: (draft, random) => {
    const [path, query] = split(draft.url);
    const shape = random.pick<(path: string) => string>([
      (text) => `${text}/`,
      (text) => text.toUpperCase(),
      (text) => text.replaceAll('/', '//'),
      (text) => `${text};v=1`,
      (text) => `${text}/more`,
      (text) => text.slice(0, text.lastIndexOf('/')),
      (text) => `/v5${text}`,
      (text) => text.replaceAll(/[a-z]/g, (letter) => `%${letter.charCodeAt(0).toString(16)}`),
      (text) => `${text}%`,
      (text) => `${text}%zz`,
      (text) => `${text}%00`,
      (text) => `${text}%C0%AF`,
      (text) => `${text}.json`,
    ]);
    draft.url = join(shape(path), query);
  },
  target: (draft, random) => {
    draft.url = random.pick([
      '',
      '*',
      'x',
      '?',
      '#',
      `http://127.0.0.1${draft.url}`,
      `//evil.test${draft.url}`,
      `${draft.url} x`,
      `/${'x'.repeat(20_000)}`,
    ]);
    draft.isTorn = true;
  },
  query: (draft, random) => {
    const [path, query = ''] = split(draft.url);
    const words = [
      'limit',
      'cursor',
      'status',
      'type',
      'activity',
      'apikey',
      'data',
      'mode',
      'source',
      'source_id',
      'failures_cursor',
      'expires',
      'signature',
    ];
    const pairs = query === '' ? [] : query.split('&');
    for (let left = random.integer(1, 4); left > 0; left--) {
      const name = random.chance(0.7) ? random.pick(words) : encode(random.pick(junkKeys), random);
      const value = random.chance(0.3)
        ? random.integer(-2, 2000).toString()
        : encode(random.pick(junkTexts).slice(0, 300), random);
      pairs.push(
        random.pick([
          `${name}=${value}`,
          `${name}[]=${value}`,
          `${name}[a]=${value}`,
          name,
          `=${value}`,
          `${name}=${value}&${name}=x`,
        ]),
      );
    }
    draft.url = join(path, pairs.join(random.pick(['&', '&', '&', ';', '&&'])));
  },
};

const names = Object.keys(changes);
// Chance that a change is used when it is picked. These changes are expensive (a bomb decompresses
// to 20 MiB), or make the service refuse the request before it reads the rest.
const rare: Readonly<Record<string, number>> = {
  gzipBomb: 0.02,
  largeHeader: 0.3,
  manyHeaders: 0.3,
  target: 0.3,
  brokenMethod: 0.3,
  version: 0.3,
};

/** Makes one change to a part of a request other than its body. */
export function changeHttp(draft: Draft, random: Random): void {
  let name = random.pick(names);
  while (!random.chance(rare[name] ?? 1)) name = random.pick(names);
  changes[name]!(draft, random);
  draft.changes.push(name);
  draft.isIntact = false;
  if (draft.isTorn) draft.closes = true;
}

function split(url: string): [path: string, query?: string] {
  const at = url.indexOf('?');
  return at < 0 ? [url] : [url.slice(0, at), url.slice(at + 1)];
}

function join(path: string, query: string | undefined): string {
  return query === undefined || query === '' ? path : `${path}?${query}`;
}

/**
 * Percent-encodes most texts, so that they reach the operation. Others keep all characters except
 * white space.
 */
function encode(text: string, random: Random): string {
  if (random.chance(0.8)) return encodeURIComponent(text.toWellFormed());
  return text.replaceAll(/[\s\0]/g, '%20');
}

let compressedBomb: Buffer | undefined;

/** Returns a small body that decompresses to more than any operation accepts. */
function bomb(): Buffer {
  compressedBomb ??= gzipSync(Buffer.alloc(20 * 1024 * 1024, '['), { level: 9 });
  return compressedBomb;
}
