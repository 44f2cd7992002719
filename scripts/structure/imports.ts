import { glob, readFile } from 'node:fs/promises';
import path from 'node:path';
import { parseSync } from 'oxc-parser';

/** An import of one file of the repository by another; both are paths below `packages`, such as `server/src/app/features.ts`. */
export interface Import {
  readonly from: string;
  readonly to: string;
  /** False when only types are imported: nothing is loaded then. */
  readonly byValue: boolean;
}

/** The files of all packages, without tests, and what they import of each other. */
export interface Sources {
  readonly files: readonly string[];
  readonly imports: readonly Import[];
}

/** Reads the sources of all packages below a directory. */
export async function readSources(packages: string): Promise<Sources> {
  const files: string[] = [];
  for await (const file of glob('*/src/**/*.{ts,mts}', { cwd: packages })) {
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

/** What a file imports of the repository, each file once. */
export function importsOf(from: string, text: string): Import[] {
  const { module } = parseSync(from, text);
  const byValue = new Map<string, boolean>();
  const add = (specifier: string, value: boolean): void => {
    const to = resolve(from, specifier);
    if (to !== undefined) byValue.set(to, value || byValue.get(to) === true);
  };
  for (const { moduleRequest, entries } of module.staticImports) {
    add(moduleRequest.value, entries.length === 0 || entries.some(({ isType }) => !isType));
  }
  for (const { entries } of module.staticExports) {
    for (const { moduleRequest, isType } of entries) if (moduleRequest !== null) add(moduleRequest.value, !isType);
  }
  for (const { moduleRequest } of module.dynamicImports) {
    add(text.slice(moduleRequest.start + 1, moduleRequest.end - 1), true);
  }
  return Array.from(byValue, ([to, value]) => ({ from, to, byValue: value }));
}

/** The file that a specifier means; undefined for packages from elsewhere. */
function resolve(from: string, specifier: string): string | undefined {
  if (specifier.startsWith('.')) return path.posix.join(path.posix.dirname(from), specifier);
  // The `imports` of the package: `#platform/…` is `src/platform/…`.
  if (specifier.startsWith('#')) return `${from.split('/')[0]}/src/${specifier.slice(1)}`;
  // `@roster/contract` is its `src/index.ts`, `@roster/contract/operations` its `src/operations/index.ts`.
  const [, own, folder = ''] = /^@roster\/([\w-]+)(\/[\w-]+)?$/.exec(specifier) ?? [];
  return own === undefined ? undefined : `${own}/src${folder}/index.ts`;
}
