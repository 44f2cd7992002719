import { describe, expect, test } from 'vitest';
import { Utf8Scan } from './utf8-scan.ts';

function scan(bytes: Uint8Array, chunk = bytes.length) {
  const found = new Utf8Scan();
  for (let at = 0; at < bytes.length; at += chunk) found.add(bytes.subarray(at, at + chunk));
  return found.findings(true);
}

/** Finds the first line that the decoder of the browser refuses. */
function decodedBadLine(bytes: Uint8Array): number | undefined {
  const decoder = new TextDecoder('utf-8', { fatal: true });
  let line = 1;
  let from = 0;
  for (let at = 0; at <= bytes.length; at++) {
    if (at < bytes.length && bytes[at] !== 10) continue;
    try {
      decoder.decode(bytes.subarray(from, at));
    } catch {
      return line;
    }
    line++;
    from = at + 1;
  }
  return undefined;
}

describe('the check of UTF-8', () => {
  test('names the first line with a bad byte, and says if other characters are UTF-8', () => {
    const mixed = Buffer.concat([Buffer.from('EMAIL,NAME\na@b.co,Björn\nc@d.co,J'), Buffer.from([0xfc, 0x72, 10])]);
    expect(scan(mixed)).toEqual({ badLine: 3, hasCharacters: true });
    expect(scan(Buffer.from('EMAIL\nJ\xfcrgen\n', 'latin1'))).toEqual({ badLine: 2, hasCharacters: false });
    expect(scan(Buffer.from('Zoë 😀\n'))).toEqual({ badLine: undefined, hasCharacters: true });
    expect(scan(Buffer.from('EMAIL\n'))).toEqual({ badLine: undefined, hasCharacters: false });
  });

  test('finds the same line as the decoder of the browser, however the bytes are split', () => {
    // The bytes that begin, continue and break characters, and line feeds.
    const usual = [10, 0x41, 0x80, 0x8f, 0x90, 0x9f, 0xa0, 0xbf, 0xc1, 0xc2, 0xdf, 0xe0, 0xed, 0xef, 0xf0, 0xf4, 0xf5];
    let seed = 7;
    const next = (below: number): number => {
      seed = (seed * 1_103_515_245 + 12_345) % 2_147_483_648;
      return Math.floor((seed / 2_147_483_648) * below);
    };
    const characters = ['é', '€', '😀', '\u0800', '\uffff', '\u{10ffff}', 'a', '\n'].map((text) => [
      ...Buffer.from(text),
    ]);
    let bad = 0;
    for (let round = 0; round < 20_000; round++) {
      const parts = Array.from({ length: 1 + next(8) }, () =>
        next(4) === 0 ? [usual[next(usual.length)]!] : characters[next(characters.length)]!,
      );
      const bytes = Uint8Array.from(parts.flat());
      const expected = decodedBadLine(bytes);
      if (expected !== undefined) bad++;
      for (const chunk of [bytes.length, 1, 2])
        expect(scan(bytes, chunk).badLine, `${Buffer.from(bytes).toString('hex')} by ${chunk}`).toBe(expected);
    }
    expect(bad).toBeGreaterThan(1000);
  });
});
