import { expect, test } from 'vitest';
import { importsOf, type Sources } from './imports.ts';
import { consoleFaults, crowdedFolders, cycleFaults, featureFaults, tierFaults } from './laws.ts';

/** Makes sources from lists of imports by value. */
function sourcesOf(imports: Readonly<Record<string, readonly string[]>>): Sources {
  const pairs = Object.entries(imports).flatMap(([from, used]) => used.map((to) => ({ from, to, byValue: true })));
  const files = [...new Set([...Object.keys(imports), ...pairs.map(({ to }) => to)])];
  return { files, imports: pairs };
}

test('an import of types only is distinguished from an import by value', () => {
  const text = `
import type { A } from './a.ts';
import { type B } from '../b.ts';
import {
  type C,
  c,
} from '#platform/c.ts';
import './d.ts';
export { e } from './e.ts';
export type { F } from './f.ts';
type G = typeof import('./g.ts');
const h = await import('./h.ts');
import { i } from '@roster/contract';
import pg from 'pg';
`;
  const found = Object.fromEntries(importsOf('server/src/app/x.ts', text).map(({ to, byValue }) => [to, byValue]));
  expect(found).toEqual({
    'server/src/app/a.ts': false,
    'server/src/b.ts': false,
    'server/src/platform/c.ts': true,
    'contract/src/index.ts': true,
    'server/src/app/d.ts': true,
    'server/src/app/e.ts': true,
    'server/src/app/f.ts': false,
    'server/src/app/g.ts': false,
    'server/src/app/h.ts': true,
  });
});

test('a file must not import a file of a tier above it', () => {
  const sources = sourcesOf({
    'server/src/app/a.ts': ['server/src/platform/b.ts'],
    'server/src/platform/b.ts': ['server/src/pipeline/c.ts'],
    'server/src/stray.ts': [],
  });
  expect(tierFaults(sources)).toEqual([
    'server/src/stray.ts is outside of the tiers: move it to one of platform, pipeline, features, app',
    'server/src/platform/b.ts imports server/src/pipeline/c.ts, which is in a tier above it',
  ]);
});

test('a page of the console must not import from other pages or from a layer above it', () => {
  const sources = sourcesOf({
    'console/src/pages/one/a.tsx': ['console/src/pages/two/b.tsx', 'console/src/components/c.tsx'],
    'console/src/components/c.tsx': ['console/src/shell/d.tsx'],
    'console/src/stray.ts': [],
  });
  expect(consoleFaults(sources)).toEqual([
    'console/src/stray.ts is outside of the layers: move it to one of texts, api, components, shell, pages, app',
    'console/src/components/c.tsx imports console/src/shell/d.tsx, which is in a layer above it',
    'console/src/pages/one/a.tsx imports console/src/pages/two/b.tsx of other pages: move the shared part to components',
  ]);
});

test('a feature must not import a feature that comes later in the list', () => {
  const sources = sourcesOf({
    'server/src/features/one/a.ts': ['server/src/features/two/b.ts'],
    'server/src/features/two/b.ts': ['server/src/features/one/c.ts'],
    'server/src/features/three/d.ts': [],
  });
  expect(featureFaults(sources, ['one', 'two', 'four'])).toEqual([
    'the feature three is not in app/features.ts: add it there',
    'the feature four in app/features.ts has no folder',
    'server/src/features/one/a.ts imports server/src/features/two/b.ts, whose feature comes later in app/features.ts',
  ]);
});

test('folders that import each other indirectly are found at every depth', () => {
  const sources = sourcesOf({
    'server/src/app/a/x.ts': ['server/src/app/b/y.ts'],
    'server/src/app/b/y.ts': ['server/src/app/top.ts'],
    'server/src/app/top.ts': ['server/src/app/a/z.ts'],
  });
  expect(cycleFaults(sources)).toEqual([
    'parts of server/src/app import each other: a, b, .',
    '  a → b: server/src/app/a/x.ts imports server/src/app/b/y.ts',
    '  b → .: server/src/app/b/y.ts imports server/src/app/top.ts',
    '  . → a: server/src/app/top.ts imports server/src/app/a/z.ts',
  ]);
});

test('two folders may import types from each other', () => {
  const { files, imports } = sourcesOf({ 'client/src/a/x.ts': ['client/src/b/y.ts'] });
  const back = { from: 'client/src/b/y.ts', to: 'client/src/a/x.ts', byValue: false };
  expect(cycleFaults({ files, imports: [...imports, back] })).toEqual([]);
});

test('a folder must not have more than 15 files', () => {
  const files = Array.from({ length: 16 }, (_, index) => `server/src/app/${index}.ts`);
  expect(crowdedFolders({ files, imports: [] })).toEqual(['server/src/app has 16 files, more than 15: divide it']);
});
