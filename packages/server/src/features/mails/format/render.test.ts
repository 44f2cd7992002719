import { expect, test } from 'vitest';
import { markup } from '#platform/text/markup.ts';
import { oneLine, shortened } from './one-line.ts';
import { renderMail } from './render.ts';

test('markup escapes every value in contents and in attributes, and never escapes twice', () => {
  const evil = `<script>alert("1")</script> & 'x' &amp;`;
  const escaped = '&lt;script&gt;alert(&quot;1&quot;)&lt;/script&gt; &amp; &#39;x&#39; &amp;amp;';
  expect(markup`<p title="${evil}">${evil}</p>`.toString()).toBe(`<p title="${escaped}">${escaped}</p>`);
  const inner = markup`<b>${'<'}</b>`;
  expect(markup`${inner}${[inner, inner]}${5}`.toString()).toBe('<b>&lt;</b><b>&lt;</b><b>&lt;</b>5');
});

test('markup throws for an object that only looks like markup', () => {
  const fake = { toString: () => '<script>' } as unknown as string;
  expect(() => markup`${fake}`.toString()).toThrow(TypeError);
});

test('oneLine replaces line breaks and control characters, and keeps joiners', () => {
  expect(oneLine(' a\r\nBcc: x@example.com\u2028b\u2029c\u0085d\0e\u001b[31m\tf ')).toBe(
    'a Bcc: x@example.com b c d e [31m f',
  );
  expect(oneLine('list \u202Egnp.exe\u202C \u2066x\u2069')).toBe('list gnp.exe x');
  expect(oneLine('half \ud83d pair')).toBe('half \ufffd pair');
  // Joiners belong to the spelling of Indic scripts and of emoji.
  for (const text of ['क्‍ष', '👨‍👩‍👧', 'می‌خواهم', '日本語', '']) expect(oneLine(text)).toBe(text);
});

test('shortened cuts a text at a character, and adds an ellipsis', () => {
  expect(shortened('12345', 5)).toBe('12345');
  expect(shortened('123456', 5)).toBe('1234…');
  expect(shortened('123 56', 5)).toBe('123…');
  expect(shortened('👍👍👍', 3)).toBe('👍👍👍');
  expect(shortened('👍👍👍👍', 3)).toBe('👍👍…');
});

test('a mail has the same content in plain text and in HTML', () => {
  const { subject, text, html } = renderMail({
    subject: 'It is <done>',
    blocks: [
      { kind: 'paragraph', text: 'First & foremost.' },
      {
        kind: 'facts',
        facts: [
          ['Rows', '5'],
          ['Size', undefined],
          ['Name', '"x"'],
        ],
      },
      { kind: 'link', label: 'Open it', url: 'https://example.com/?a=1&b="2"' },
      { kind: 'link', label: 'Run it', url: 'javascript:alert(1)' },
    ],
    footer: 'Because.',
  });
  expect(subject).toBe('It is <done>');
  expect(text).toBe(
    'It is <done>\n\nFirst & foremost.\n\nRows: 5\nName: "x"\n\nOpen it:\nhttps://example.com/?a=1&b="2"\n\nRun it:\njavascript:alert(1)\n\nBecause.\n',
  );
  expect(html).toMatch(/^<!doctype html>\n<html lang="en">/);
  expect(html).toContain('<title>It is &lt;done&gt;</title>');
  expect(html).toContain('<p>First &amp; foremost.</p>');
  expect(html).toMatch(/<th scope="row"[^>]*>Rows<\/th><td[^>]*>5<\/td>/);
  expect(html).not.toContain('Size');
  expect(html).toContain('<a href="https://example.com/?a=1&amp;b=&quot;2&quot;">Open it</a>');
  expect(html).toContain('<p>Run it: javascript:alert(1)</p>');
  expect(html.match(/href=/g)).toHaveLength(1);
  expect(html).not.toMatch(/src=|<link|@import|url\(/);
});

test('values in a mail add no lines, and long values are shortened', () => {
  const line = `x\r\n${'y'.repeat(5000)}`;
  const { subject, text } = renderMail({
    subject: line,
    blocks: [
      { kind: 'paragraph', text: line },
      { kind: 'facts', facts: [['Name', line]] },
      { kind: 'link', label: line, url: 'https://example.com/\r\nx' },
    ],
    footer: line,
  });
  expect(subject).toHaveLength(200);
  expect(text.split('\n')).toHaveLength(11);
  expect(text).not.toContain('\r');
  expect(text.length).toBeLessThan(9000);
});
