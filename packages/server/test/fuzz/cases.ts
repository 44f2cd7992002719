import fc from 'fast-check';
import { accountKinds } from './account-kinds.ts';
import { anyEdit } from './any-edit.ts';
import { applyEdit, type Edit } from './edits.ts';
import { printTree, treeOf } from './json-tree.ts';
import { junkTexts } from './junk.ts';
import { seedBody, seeds } from './seeds.ts';

/** A change to the bytes of a body. */
interface ByteEdit {
  readonly kind: 'cut' | 'overwrite' | 'insert' | 'double';
  readonly where: number;
  readonly bytes: readonly number[];
}

/** One hostile request. */
export interface Case {
  /** Index in {@link accountKinds} of the account that sends the request. */
  readonly account: number;
  /** Number of the first contact that the request names. */
  readonly person: number;
  readonly path: string;
  readonly seed: number;
  readonly edits: readonly Edit[];
  readonly byteEdits: readonly ByteEdit[];
  readonly headers: Readonly<Record<string, string>>;
}

const paths = Object.keys(seeds).flatMap((path) => [path, `/v5${path}`]);

// First and later bytes of UTF-8 characters, structure of JSON, and control characters.
const anyByte = fc.oneof(
  fc.constantFrom(0x00, 0x22, 0x2c, 0x5b, 0x5c, 0x5d, 0x7b, 0x7d, 0x80, 0xbf, 0xc0, 0xed, 0xa0, 0xf4, 0xf8, 0xff, 0xfe),
  fc.integer({ min: 0, max: 255 }),
);

const byteEdit: fc.Arbitrary<ByteEdit> = fc.record({
  kind: fc.constantFrom('cut', 'overwrite', 'insert', 'double'),
  where: fc.nat(5000),
  bytes: fc.array(anyByte, { minLength: 1, maxLength: 4 }),
});

const headerText = fc.constantFrom(...junkTexts.filter((text) => text.length < 300));

const junkHeaders: fc.Arbitrary<Record<string, string>> = fc.oneof(
  headerText.map((value) => ({ 'idempotency-key': value })),
  // So few keys that they repeat, with the same body and with other bodies.
  fc.integer({ min: 0, max: 60 }).map((number) => ({ 'idempotency-key': `key-${number}` })),
  fc
    .constantFrom(
      'application/json; charset=utf-8',
      'application/json;charset=utf-16',
      'APPLICATION/JSON',
      'application/merge-patch+json',
      'text/json',
      'text/plain',
      'application/x-www-form-urlencoded',
      'multipart/form-data; boundary=x',
      'application/json, text/plain',
      'application/jsonp',
      ';',
    )
    .map((value) => ({ 'content-type': value })),
  fc
    .constantFrom(
      'content-encoding',
      'accept',
      'accept-encoding',
      'accept-version',
      'expect',
      'x-forwarded-for',
      'host',
    )
    .chain((name) => headerText.map((value) => ({ [name]: value }))),
  fc.constantFrom('0', '1', '99999', '-1', 'x').map((value) => ({ 'content-length': value })),
);

/**
 * Generates any case. Most have a damaged body and valid headers. Some are intact, so that the
 * pipeline has work.
 */
export const anyCase: fc.Arbitrary<Case> = fc.record({
  account: fc.noBias(fc.constantFrom(0, 0, 0, 1, 1, 1, 2, 2, 2, 3, 3, 3, 4)),
  person: fc.noBias(fc.nat(60)),
  path: fc.noBias(fc.constantFrom(...paths)),
  seed: fc.noBias(fc.nat(1000)),
  edits: fc.oneof(
    { weight: 2, arbitrary: fc.constant([]) },
    { weight: 5, arbitrary: fc.array(anyEdit, { minLength: 1, maxLength: 1 }) },
    { weight: 4, arbitrary: fc.array(anyEdit, { minLength: 2, maxLength: 6 }) },
  ),
  byteEdits: fc.oneof(
    { weight: 9, arbitrary: fc.constant([]) },
    { weight: 1, arbitrary: fc.array(byteEdit, { minLength: 1, maxLength: 3 }) },
  ),
  headers: fc.oneof({ weight: 6, arbitrary: fc.constant({}) }, { weight: 1, arbitrary: junkHeaders }),
});

/** Returns the body of a case, with its edits. */
export function bodyOf({ account, person, path, seed, edits, byteEdits }: Case): Buffer {
  const body = seedBody(path.replace(/^\/v5/, ''), seed, accountKinds[account]!.primary_key, person);
  const tree = edits.reduce(applyEdit, treeOf(body));
  return byteEdits.reduce(applyByteEdit, Buffer.from(printTree(tree)));
}

function applyByteEdit(body: Buffer, { kind, where, bytes }: ByteEdit): Buffer {
  const at = body.length === 0 ? 0 : where % body.length;
  switch (kind) {
    case 'cut':
      return body.subarray(0, at);
    case 'overwrite':
      return Buffer.concat([body.subarray(0, at), Buffer.from(bytes), body.subarray(at + bytes.length)]);
    case 'insert':
      return Buffer.concat([body.subarray(0, at), Buffer.from(bytes), body.subarray(at)]);
    case 'double':
      return Buffer.concat([body, body]);
    default:
      throw new Error('unknown kind of edit');
  }
}
