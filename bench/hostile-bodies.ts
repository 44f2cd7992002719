import { gzipSync } from 'node:zlib';

/** A body that is as expensive as a sender can make it. */
export interface HostileBody {
  readonly name: string;
  readonly path: string;
  /**
   * `key`: a valid API key. `operator`: the operator token. `compressed`: the operator token, for a
   * gzip body.
   */
  readonly headers: 'key' | 'operator' | 'compressed' | Record<string, string>;
  readonly body: () => Buffer;
}

const mebibyte = 1024 * 1024;
const head = '{"data":{"contact_type":"identified","contacts":[';
const tail = ']}}';

/** Returns a body with as many units as fit between a beginning and an end. */
function fill(
  begin: string,
  unit: (n: number) => string,
  end: string,
  bytes: number,
  most = Number.POSITIVE_INFINITY,
): Buffer {
  const parts: string[] = [];
  let length = begin.length + end.length;
  for (let n = 0; n < most; n++) {
    const part = unit(n);
    length += part.length + 1;
    if (length > bytes) break;
    parts.push(part);
  }
  return Buffer.from(begin + parts.join(',') + end);
}

function once(make: () => Buffer): () => Buffer {
  let made: Buffer | undefined;
  return () => (made ??= make());
}

/**
 * The most expensive valid body: 1,000 contacts with 490 attributes each, with short texts, 16 MiB
 * in total.
 */
export const goodBody: HostileBody = {
  name: 'most expensive valid body (1,000 contacts, 490 attributes each)',
  path: '/v5/contact/create',
  headers: 'key',
  body: once(() => {
    const attributes = (n: number) =>
      Array.from({ length: 490 }, (_, a) => `"ATTRIBUTE_${a}":"${(n * 490 + a).toString(36)}"`).join(',');
    return fill(
      head,
      (n) => `{"identity":"p${n}@example.com","attributes":{${attributes(n)}}}`,
      tail,
      16 * mebibyte,
      1000,
    );
  }),
};

const create = '/v5/contact/create';

/** A body with one contact, for a flood. */
export const single: HostileBody = {
  name: 'single contact',
  path: create,
  headers: 'key',
  body: once(() => Buffer.from(`${head}{"identity":"a@example.com","attributes":{"CITY":"Pune"}}${tail}`)),
};

/** A search without conditions, for a flood. */
export const search: HostileBody = {
  name: 'search',
  path: '/v5/contact/search',
  headers: 'key',
  body: once(() => Buffer.from('{"output":{"fields":["identity"]}}')),
};

const emptyObjects = once(() => fill(head, () => '{}', tail, 16 * mebibyte));
const differentKeys = once(() =>
  fill(
    '{"data":{"contact_type":"identified","contacts":[{"identity":"a","attributes":{',
    (n) => `"${n.toString(36)}":1`,
    '}}]}}',
    16 * mebibyte,
  ),
);
const deep = once(() => Buffer.from('['.repeat(8 * mebibyte) + ']'.repeat(8 * mebibyte)));
// The number of values is just within the limits.
const accepted = once(() => fill(head, () => '{}', tail, 16 * mebibyte, 549_000));
const texts = once(() => fill(head, (n) => `"\\u00e9${n}"`, tail, 16 * mebibyte, 1_090_000));
const filter = once(() => {
  const condition = (c: number) =>
    `{"field":"EMAIL","operation":"equals","value":[${Array.from({ length: 190 }, (_, v) => `"p${c * 190 + v}@e.com"`).join(',')}]}`;
  const groups = Array.from(
    { length: 20 },
    (_, g) =>
      `{"condition_operator":"or","condition_details":[${Array.from({ length: 50 }, (_unused, c) => condition(g * 50 + c)).join(',')}]}`,
  );
  return Buffer.from(`{"filtering_criteria_operator":"or","filtering_criteria":[${groups.join(',')}]}`);
});
const compressed = once(() => gzipSync(fill('{"data":[', () => '{}', ']}', 16 * mebibyte)));

/** Bodies that a caller can send without a pause. */
export const hostileBodies: readonly HostileBody[] = [
  { name: '16 MiB of {}', path: create, headers: 'key', body: emptyObjects },
  { name: '16 MiB of different keys', path: create, headers: 'key', body: differentKeys },
  { name: '16 MiB of [', path: create, headers: 'key', body: deep },
  { name: 'maximum number of {} that is parsed', path: create, headers: 'key', body: accepted },
  { name: 'maximum number of short texts that is parsed', path: create, headers: 'key', body: texts },
  { name: '16 MiB of {} as a search', path: '/v5/contact/search', headers: 'key', body: emptyObjects },
  { name: 'a search with 190,000 values', path: '/v5/contact/search', headers: 'key', body: filter },
  { name: '16 MiB of {} as a batch add', path: '/v3/contact/batchadd', headers: 'key', body: emptyObjects },
  { name: '16 MiB of {} with an unknown key', path: create, headers: { 'api-key': 'unknown' }, body: emptyObjects },
  { name: '16 MiB of {} with a blank key', path: create, headers: { 'api-key': '' }, body: emptyObjects },
  { name: '16 MiB of {} to an unknown path', path: '/v5/unknown', headers: {}, body: emptyObjects },
  { name: '16 MiB of {} for apiv2', path: '/apiv2', headers: {}, body: emptyObjects },
  { name: '16 MiB of {} as an account', path: '/admin/v1/accounts', headers: 'operator', body: emptyObjects },
  {
    name: '16 MiB of {} as activities',
    path: '/admin/v1/accounts/1/activities',
    headers: 'operator',
    body: emptyObjects,
  },
  {
    name: '16 MiB of {} as compressed activities',
    path: '/admin/v1/accounts/1/activities',
    headers: 'compressed',
    body: compressed,
  },
];
