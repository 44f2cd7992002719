import { existsSync, globSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import type { Plugin } from 'vite';

const library = path.dirname(createRequire(import.meta.url).resolve('@mantine/core/styles.css'));
const virtualName = 'virtual:mantine-styles.css';

/**
 * Makes `virtual:mantine-styles.css`: the styles of those components of `@mantine/core` that the
 * sources use, directly or inside of other components. All styles together would be half as large
 * again, and each first visit loads them.
 */
export function mantineStyles(sources: string): Plugin {
  return {
    name: 'roster-mantine-styles',
    resolveId: (id) => (id === virtualName ? `\0${virtualName}` : undefined),
    load: (id) => (id === `\0${virtualName}` ? stylesFor(usedNames(sources)) : undefined),
  };
}

/** Returns the style sheet for some exports of `@mantine/core`. */
function stylesFor(names: ReadonlySet<string>): string {
  const index = exportsOf(path.join(library, 'esm/index.mjs'));
  const files = new Set<string>();
  for (const name of names) {
    const file = index.get(name);
    if (file !== undefined) collect(file, files);
  }
  const whole = readFileSync(path.join(library, 'styles.css'), 'utf8');
  // A component with styles has a file with the names of its classes.
  const sheets = ['global', 'default-css-variables', 'baseline', ...[...files].flatMap(moduleName)]
    .map((name) => path.join(library, 'styles', `${name}.css`))
    .filter((file) => existsSync(file))
    .map((file) => readFileSync(file, 'utf8'));
  // The order matters: the styles of a component override those of its parts.
  return [...new Set(sheets)].toSorted((a, b) => position(whole, a) - position(whole, b)).join('\n');
}

const position = (whole: string, sheet: string): number => whole.indexOf(sheet.trim().slice(0, 200));

const moduleName = (file: string): string[] => /([\w-]+)\.module\.mjs$/.exec(file)?.slice(1) ?? [];

/** Adds a file and all files of the library that it imports. */
function collect(file: string, files: Set<string>): void {
  if (files.has(file) || !existsSync(file)) return;
  files.add(file);
  for (const [, specifier] of readFileSync(file, 'utf8').matchAll(/from "(\.[^"]+)"/g)) {
    collect(path.resolve(path.dirname(file), specifier!), files);
  }
}

/** Returns the file of each name that the index of the library exports. */
function exportsOf(index: string): Map<string, string> {
  const found = new Map<string, string>();
  for (const [, names, specifier] of readFileSync(index, 'utf8').matchAll(/import \{([^}]+)\} from "(\.[^"]+)"/g)) {
    for (const name of namesIn(names!)) found.set(name, path.resolve(path.dirname(index), specifier!));
  }
  return found;
}

/** Returns the names that the sources, and the other packages that they use, import from the library. */
function usedNames(sources: string): Set<string> {
  const used = new Set<string>();
  const packages = new Set<string>();
  const read = (file: string): void => {
    const text = readFileSync(file, 'utf8');
    for (const [, names, from] of text.matchAll(/import\s*\{([^}]+)\}\s*from\s*['"](@mantine\/[\w-]+)['"]/g)) {
      if (from === '@mantine/core') for (const name of namesIn(names!)) used.add(name);
      else packages.add(from!);
    }
  };
  for (const file of globSync('**/*.{ts,tsx}', { cwd: sources })) read(path.join(sources, file));
  for (const name of packages) {
    const folder = path.join(library, '..', path.basename(name), 'esm');
    for (const file of globSync('**/*.mjs', { cwd: folder })) read(path.join(folder, file));
  }
  return used;
}

/** `Button, type ButtonProps, Text as T` → `Button`, `ButtonProps`, `Text`. */
function namesIn(list: string): string[] {
  return list.split(',').flatMap((part) => /^(?:type\s+)?(\w+)/.exec(part.trim())?.[1] ?? []);
}
