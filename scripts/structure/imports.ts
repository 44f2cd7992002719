import { glob, readFile } from 'node:fs/promises';
import path from 'node:path';

/**
 * An import between two files of the repository. Both are paths below `packages`, such as
 * `server/src/app/features.ts`.
 */
export interface Import {
  readonly from: string;
  readonly to: string;
  /** False if only types are imported. */
  readonly byValue: boolean;
}

/** The files of all packages, without tests, and the imports between them. */
export interface Sources {
  readonly files: readonly string[];
  readonly imports: readonly Import[];
}

/** Reads the sources of all packages below a directory. */
export async function readSources(packages: string): Promise<Sources> {
  const files: string[] = [];
  for await (const file of glob('*/src/**/*.{ts,mts,tsx}', { cwd: packages })) {
    if (!file.endsWith('.test.ts')) files.push(file.split(path.sep).join('/'));
  }
  files.sort();
  const known = new Set(files);
  const imports = await Promise.all(
    files.map(async (from) => {
      const text = await readFile(path.join(packages, from), 'utf8');
      return importsOf(from, text).filter(({ to }) => known.has(to));
    }),
  );
  return { files, imports: imports.flat() };
}

// A formatted file has four kinds of imports: `import … from '…'` and `export … from '…'` at the
// beginning of a line, `import '…'`, and `import('…')`.
const statement = /^(?:import|export)\s+(type\s+)?([^;'"]*?)\s*from\s+'([^']+)'/gm;
const bareImport = /^import\s+'([^']+)'/gm;
const dynamicImport = /(typeof\s+)?\bimport\(\s*'([^']+)'/g;

/** Returns the imports of a file from the repository, each imported file once. */
export function importsOf(from: string, text: string): Import[] {
  const byValue = new Map<string, boolean>();
  const add = (specifier: string, value: boolean): void => {
    const to = resolve(from, specifier);
    if (to !== undefined) byValue.set(to, value || byValue.get(to) === true);
  };
  for (const [, type, names = '', specifier = ''] of text.matchAll(statement)) {
    add(specifier, type === undefined && !namesTypesOnly(names));
  }
  for (const [, specifier = ''] of text.matchAll(bareImport)) add(specifier, true);
  for (const [, type, specifier = ''] of text.matchAll(dynamicImport)) add(specifier, type === undefined);
  return Array.from(byValue, ([to, value]) => ({ from, to, byValue: value }));
}

/** Returns true if all names of an import are types, such as `{ type A, type B }`. */
function namesTypesOnly(names: string): boolean {
  const list = /^\{([^}]*)\}$/.exec(names.trim())?.[1];
  const parts = list?.split(',').map((name) => name.trim()) ?? [];
  const given = parts.filter((name) => name !== '');
  return given.length > 0 && given.every((name) => name.startsWith('type '));
}

/** Returns the file of a specifier; undefined for packages outside of the repository. */
function resolve(from: string, specifier: string): string | undefined {
  if (specifier.startsWith('.')) return path.posix.join(path.posix.dirname(from), specifier);
  // See `imports` in package.json: `#platform/…` is `src/platform/…`.
  if (specifier.startsWith('#')) return `${from.split('/')[0]}/src/${specifier.slice(1)}`;
  // `@roster/contract` is its `src/index.ts`, `@roster/contract/operations` its `src/operations/index.ts`.
  const [, own, folder = ''] = /^@roster\/([\w-]+)(\/[\w-]+)?$/.exec(specifier) ?? [];
  return own === undefined ? undefined : `${own}/src${folder}/index.ts`;
}
