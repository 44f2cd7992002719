import fc from 'fast-check';
import { expect, test } from 'vitest';
import { graphemesOf } from './graphemes.ts';

const segments = new Intl.Segmenter(undefined, { granularity: 'grapheme' });

test.each([
  'Zoe\u0308 Mu\u0308ller',
  '👩‍👩‍👧‍👦!',
  '👍🏽👍',
  '❤️',
  '🏴\u{e0067}\u{e0062}\u{e0065}\u{e006e}\u{e0067}\u{e007f}',
  '1️⃣2',
  'कुमार',
  'тест',
  '顧客',
  '',
])('graphemesOf splits %j into the graphemes of Unicode', (text) => {
  expect(graphemesOf(text)).toEqual(Array.from(segments.segment(text), ({ segment }) => segment));
});

test('graphemesOf keeps every part of a text, and no letter begins with a combining character', () => {
  const unit = fc.oneof(
    fc.constantFrom(...Array.from('ab\n👩\u0301\u200d\ufe0f\u{1f3fd}')),
    fc.string({ unit: 'binary', maxLength: 1 }),
  );
  fc.assert(
    fc.property(fc.string({ unit }), (text) => {
      const letters = graphemesOf(text);
      expect(letters.join('')).toBe(text);
      for (const one of letters.slice(1)) expect(one).not.toMatch(/^(?:\u200d|\p{M}|\u{1f3fd})/u);
    }),
  );
});
