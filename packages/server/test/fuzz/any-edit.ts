import fc from 'fast-check';
import { editKinds, type Edit } from './edits.ts';
import type { Tree } from './json-tree.ts';
import { junkKeys, junkScalars, junkTexts, victim, words } from './junk.ts';

const text = (piece: string): Tree => ({ kind: 'text', text: piece });

const quoted = (texts: readonly string[]) => fc.constantFrom(...texts).map((one) => text(JSON.stringify(one)));

/** Generates any value, valid or not. */
const anyValue: fc.Arbitrary<Tree> = fc.oneof(
  { weight: 4, arbitrary: quoted(junkTexts) },
  { weight: 4, arbitrary: fc.constantFrom(...junkScalars).map(text) },
  { weight: 3, arbitrary: quoted(words) },
  { weight: 2, arbitrary: quoted([...victim.identities, ...victim.mobiles]) },
  { weight: 2, arbitrary: fc.string({ unit: 'binary', maxLength: 40 }).map((one) => text(JSON.stringify(one))) },
  { weight: 1, arbitrary: fc.double().map((one) => text(Number.isFinite(one) ? String(one) : 'null')) },
  { weight: 1, arbitrary: fc.json({ maxDepth: 4 }).map(text) },
);

/** Generates any edit. */
export const anyEdit: fc.Arbitrary<Edit> = fc.record({
  kind: fc.oneof(
    { weight: 2, arbitrary: fc.constantFrom(...editKinds) },
    { weight: 1, arbitrary: fc.constantFrom('replaceScalar', 'addAttribute', 'insertText', 'asText') },
  ),
  // No bias: fast-check prefers small numbers, which stand for places near the beginning of the
  // body.
  where: fc.noBias(fc.nat(10_000)),
  with: anyValue,
  key: fc.oneof(
    fc.constantFrom(...junkKeys),
    fc.stringMatching(/^[A-Za-z][A-Za-z0-9_]{0,12}$/),
    fc.string({ unit: 'binary', maxLength: 20 }),
  ),
  number: fc.noBias(fc.nat(100_000)),
});
