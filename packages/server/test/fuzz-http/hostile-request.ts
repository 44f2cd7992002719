import { createRandom, type Random } from '../crash/random.ts';
import type { OpenApiDocument } from '#platform/http/openapi/document.ts';
import { applyEdit, editKinds, type Edit } from '../fuzz/edits.ts';
import { printTree, treeOf, type Tree } from '../fuzz/json-tree.ts';
import { junkKeys, junkScalars, junkTexts, victim, words } from '../fuzz/junk.ts';
import { seedBody, seeds } from '../fuzz/seeds.ts';
import { bytesOf, type Draft } from './draft.ts';
import { changeHttp } from './http-changes.ts';
import { valueOf } from './schema-values.ts';
import type { BodyForm, Target } from './targets.ts';
import type { World, WorldAccount } from './world.ts';

/** One request, ready to send. */
export interface HostileRequest {
  readonly index: number;
  readonly target: Target;
  /** The account whose API key the request has, if it has one. */
  readonly account: WorldAccount;
  readonly draft: Draft;
  readonly bytes: Buffer;
}

/** The input from which requests are generated. */
export interface Material {
  readonly document: OpenApiDocument;
  readonly targets: readonly Target[];
  readonly world: World;
  readonly seed: number;
  /** Value of the header `Host`. */
  readonly host: string;
}

/**
 * Generates the request with an index. The same seed and index give the same request, except for
 * identifiers that the service generates (of imports, exports, …).
 *
 * About a fifth of the requests are valid, so that the pipeline has work. Most have a damaged
 * body. About 30% have a wrong header, path, method or other part outside of the body.
 */
export function hostileRequest(material: Material, index: number): HostileRequest {
  const random = createRandom(Math.imul(material.seed + 1, 0x9e3779b1) ^ Math.imul(index + 1, 0x85ebca6b));
  const target = chooseTarget(material.targets, random);
  const account = random.pick(material.world.accounts);
  const draft: Draft = {
    method: target.method,
    url: fillPath(target, account, material.world, random),
    version: 'HTTP/1.1',
    headers: [['host', material.host]],
    body: undefined,
    framing: 'length',
    isIntact: true,
    isTorn: false,
    closes: false,
    changes: [],
  };
  const query = queryOf(target, account, random);
  if (target.credential === 'operatorToken')
    draft.headers.push(['authorization', `Bearer ${material.world.adminToken}`]);
  if (target.credential === 'apiKey') draft.headers.push(['api-key', account.apiKey]);
  for (const { name, in: place, required, example } of target.parameters) {
    if (place === 'header' && required === true) draft.headers.push([name, String(example)]);
  }
  const form = target.bodies.length === 0 ? undefined : random.pick(target.bodies);
  if (form !== undefined) {
    draft.headers.push(['content-type', form.mediaType]);
    draft.body = bodyOf(material, target, form, account, random, draft.changes);
  }
  if (query.length > 0) draft.url += `?${query.join('&')}`;
  const httpChanges = random.pick([0, 0, 0, 0, 0, 0, 0, 1, 1, 2]);
  for (let left = httpChanges; left > 0; left--) changeHttp(draft, random);
  return { index, target, account, draft, bytes: bytesOf(draft) };
}

const cumulated = new WeakMap<readonly Target[], number[]>();

function chooseTarget(targets: readonly Target[], random: Random): Target {
  let sums = cumulated.get(targets);
  if (sums === undefined) {
    let sum = 0;
    sums = targets.map(({ weight }) => (sum += weight));
    cumulated.set(targets, sums);
  }
  const dice = (random.integer(0, 1_000_000) / 1_000_000) * sums.at(-1)!;
  return targets[sums.findIndex((sum) => sum >= dice)]!;
}

// Used instead of an id that exists.
const junkIds = [
  '0',
  '-1',
  '1.5',
  '2147483648',
  '99999999999',
  '1e2',
  'x',
  '%00',
  'null',
  '019a9d3e-7c1b-7f3a-9b52-2f3c8b1d0a11',
  '1%20',
  '%EF%BC%91',
];

function fillPath({ path, name }: Target, account: WorldAccount, world: World, random: Random): string {
  return path.replaceAll(/\{(\w+)\}/g, (_, parameter: string) => {
    if (random.chance(0.04)) return random.pick(junkIds);
    if (parameter === 'account_id')
      return String(random.chance(0.98) ? account.accountId : random.pick(world.accounts).accountId);
    const known = world.ids(name, parameter, account);
    const id = String(known.length > 0 ? random.pick(known) : random.integer(1, 20));
    // The file name already has its query with the signature, so it must not be encoded.
    return parameter === 'file' ? id : encodeURIComponent(id);
  });
}

function queryOf({ parameters, credential }: Target, account: WorldAccount, random: Random): string[] {
  const pairs: string[] = [];
  for (const { name, in: place, schema, required } of parameters) {
    if (place !== 'query' || (required !== true && random.chance(0.6))) continue;
    const values = (schema as { enum?: readonly unknown[] }).enum;
    const value =
      values !== undefined && random.chance(0.8)
        ? random.pick(values)
        : random.chance(0.5)
          ? random.integer(0, 120)
          : random.pick(junkTexts).slice(0, 100);
    pairs.push(`${name}=${encodeURIComponent(String(value).toWellFormed())}`);
  }
  if (credential === 'apiKeyParameter') pairs.push(`apikey=${account.apiKey}`);
  return pairs;
}

function bodyOf(
  material: Material,
  target: Target,
  form: BodyForm,
  account: WorldAccount,
  random: Random,
  changes: string[],
): Buffer {
  const base = baseBody(material, target, form, account, random);
  if (typeof base === 'string') return damageText(base, random, changes);
  let tree = treeOf(base);
  for (let left = random.pick([0, 0, 1, 1, 1, 1, 2, 2, 3, 6]); left > 0; left--) {
    const edit = anyEdit(random);
    tree = applyEdit(tree, edit);
    changes.push(edit.kind);
  }
  const text = printTree(tree);
  switch (form.mediaType) {
    case 'application/x-www-form-urlencoded':
      return damageBytes(Buffer.from(`data=${encodeURIComponent(text.toWellFormed())}`), random, changes);
    case 'text/plain':
      return damageBytes(Buffer.from(`data=${text}`), random, changes);
    case 'application/x-ndjson': {
      const records = tree.kind === 'object' ? tree.entries.find(([key]) => key === 'data')?.[1] : undefined;
      const lines = records?.kind === 'array' ? records.items.map(printTree) : [text];
      return damageBytes(Buffer.from(lines.join(random.pick(['\n', '\n', '\r\n', '\n\n']))), random, changes);
    }
    default:
      return damageBytes(Buffer.from(text), random, changes);
  }
}

/**
 * Returns a valid body: an example of the document, a body of the other fuzz test, or one generated
 * from the schema. The body is a string if it is not JSON.
 */
function baseBody(
  { document, world }: Material,
  target: Target,
  form: BodyForm,
  account: WorldAccount,
  random: Random,
): unknown {
  const source = random.integer(1, 10);
  const path = target.path.replace(/^\/v5/, '');
  if (source <= 4 && seeds[path] !== undefined) {
    return world.adapt(seedBody(path, random.integer(0, 1000), account.primaryKey, random.integer(0, 60)));
  }
  if (source <= 7 && form.examples.length > 0) return world.adapt(random.pick(form.examples));
  // A schema of a text does not describe its format, so only an example is valid.
  if (form.schema['type'] === 'string' && form.examples.length > 0) return world.adapt(random.pick(form.examples));
  return world.adapt(valueOf(document, form.schema, random, (field, source) => world.known(field, account, source)));
}

function anyEdit(random: Random): Edit {
  return {
    kind: random.pick(editKinds),
    where: random.integer(0, 10_000),
    with: anyValue(random),
    key: random.pick(junkKeys),
    number: random.integer(0, 100_000),
  };
}

function anyValue(random: Random): Tree {
  const dice = random.integer(1, 10);
  if (dice <= 4) return { kind: 'text', text: JSON.stringify(random.pick(junkTexts)) };
  if (dice <= 7) return { kind: 'text', text: random.pick(junkScalars) };
  if (dice <= 9) return { kind: 'text', text: JSON.stringify(random.pick(words)) };
  return { kind: 'text', text: JSON.stringify(random.pick([...victim.identities, ...victim.mobiles])) };
}

function damageText(text: string, random: Random, changes: string[]): Buffer {
  const times = random.pick([0, 1, 1, 2]);
  let damaged = text;
  for (let left = times; left > 0; left--) {
    const at = random.integer(0, damaged.length);
    const piece = random.pick([
      random.pick(junkTexts).slice(0, 2000),
      '"',
      ',',
      '\n',
      '\r',
      ';',
      '\t',
      '""',
      '{',
      '}',
      '=cmd()',
      damaged,
    ]);
    damaged = damaged.slice(0, at) + piece + damaged.slice(random.chance(0.5) ? at : at + random.integer(0, 10));
    changes.push('text');
  }
  return damageBytes(Buffer.from(damaged), random, changes);
}

// First and later bytes of UTF-8 characters, structure of JSON, and control characters.
const brokenBytes = [
  0x00, 0x22, 0x2c, 0x5b, 0x5c, 0x5d, 0x7b, 0x7d, 0x80, 0xbf, 0xc0, 0xed, 0xa0, 0xf4, 0xf8, 0xff, 0xfe,
];

function damageBytes(body: Buffer, random: Random, changes: string[]): Buffer {
  if (!random.chance(0.06)) return body;
  changes.push('bytes');
  const at = random.integer(0, body.length);
  const bytes = Buffer.from(Array.from({ length: random.integer(1, 4) }, () => random.pick(brokenBytes)));
  switch (random.integer(1, 5)) {
    case 1:
      return body.subarray(0, at);
    case 2:
      return Buffer.concat([body.subarray(0, at), bytes, body.subarray(at + bytes.length)]);
    case 3:
      return Buffer.concat([body.subarray(0, at), bytes, body.subarray(at)]);
    case 4:
      return Buffer.concat([body, body]);
    default:
      return Buffer.alloc(0);
  }
}
