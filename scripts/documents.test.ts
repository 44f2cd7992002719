import { globSync } from 'node:fs';
import { access, readFile } from 'node:fs/promises';
import path from 'node:path';
import { describe, expect, test } from 'vitest';

const root = path.dirname(import.meta.dirname);
const sources = globSync(['{bench,scripts}/**/*.ts', 'packages/*/{build,src,test}/**/*.{ts,tsx,mts}'], { cwd: root });
const pages = globSync(['*.md', 'docs/**/*.md', 'packages/*/README.md'], { cwd: root });
const texts = new Map(
  await Promise.all(
    pages.map(async (page): Promise<[string, string]> => [page, await readFile(path.join(root, page), 'utf8')]),
  ),
);

/** Returns the anchors of a page: its headings in lower case, without punctuation, with dashes. */
function anchorsOf(page: string): string[] {
  const headings = texts.get(page)!.matchAll(/^#+ (.*)$/gm);
  return Array.from(headings, ([, heading]) =>
    heading!
      .toLowerCase()
      .replaceAll(/[^\w\- ]/g, '')
      .replaceAll(' ', '-'),
  );
}

describe.each(pages)('%s', (page) => {
  test('has links that lead to a file and to one of its headings', async () => {
    for (const [, target, anchor] of texts.get(page)!.matchAll(/\]\((?!https?:)([^)#\s]*)(?:#([^)\s]+))?\)/g)) {
      const file = target === '' ? page : path.join(path.dirname(page), target!);
      await expect(access(path.join(root, file)), `link to ${target}`).resolves.toBeUndefined();
      if (anchor !== undefined) expect(anchorsOf(file), `link to ${target}`).toContain(anchor);
    }
  });

  test('sets the variables of its commands, or names the tour, which sets them', () => {
    const text = texts.get(page)!;
    const tour = /the variables of the\s+\[tour\]|as in the\s+\[tour\]/.test(text) ? texts.get('docs/tour.md')! : '';
    const known = new Set(Array.from(`${text}${tour}`.matchAll(/\b([A-Z_]+)=/g), ([, name]) => name));
    const commands = Array.from(text.matchAll(/^.*\bcurl .*$/gm), ([line]) => line);
    const used = commands.flatMap((line) => Array.from(line.matchAll(/\$([A-Z_]+)/g), ([, name]) => name));
    expect(used.filter((name) => !known.has(name))).toEqual([]);
  });

  test('names only files that exist, in the sources or in the repository', () => {
    const named = Array.from(texts.get(page)!.matchAll(/`((?:[\w.-]+\/)+[\w.-]+\.m?tsx?)`/g), ([, file]) => file!);
    expect(named.filter((file) => !sources.some((source) => `/${source}`.endsWith(`/${file}`)))).toEqual([]);
  });

  test('has prose of up to 100 columns', () => {
    const prose = texts.get(page)!.replaceAll(/^( *)```.*?^\1```$/gms, '');
    const long = prose.split('\n').filter((line) => line.length > 100 && !/^( {4}| *\||<!--)/.test(line));
    expect(long).toEqual([]);
  });
});
