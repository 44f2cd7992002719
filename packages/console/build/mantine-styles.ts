import { existsSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import type { Plugin } from 'vite';

const library = path.dirname(createRequire(import.meta.url).resolve('@mantine/core/styles.css'));
const virtualName = 'virtual:mantine-styles.css';

/**
 * Loads the styles of a component of `@mantine/core` together with its script, so that a page loads
 * only the styles that it needs. `virtual:mantine-styles.css` has the styles that do not belong to a
 * component. In the development server it has all styles.
 */
export function mantineStyles(): Plugin {
  const common = ['global', 'default-css-variables', 'baseline'].map((name) => sheet(name));
  let isBuild = true;
  return {
    name: 'roster-mantine-styles',
    configResolved({ command }) {
      isBuild = command === 'build';
    },
    resolveId: (id) => (id === virtualName ? `\0${virtualName}` : undefined),
    load(id) {
      if (id !== `\0${virtualName}`) return undefined;
      const files = isBuild ? common : [path.join(library, 'styles.css')];
      return files.map((file) => readFileSync(file, 'utf8')).join('\n');
    },
    transform: {
      // A component with styles has a file with the names of its classes.
      filter: { id: /@mantine[\\/]core[\\/]esm[\\/].*\.module\.mjs$/ },
      handler(code, id) {
        if (!isBuild) return undefined;
        const imports = sheetsOf(id).map((file) => `import ${JSON.stringify(file)};`);
        return { code: `${imports.join('\n')}\n${code}`, map: null };
      },
    },
  };
}

/**
 * Returns the sheets of a component and of all components that it uses. The order matters: the styles
 * of a component override those of its parts.
 */
function sheetsOf(moduleFile: string): string[] {
  const files = new Set([moduleFile]);
  collect(moduleFile.replace('.module.mjs', '.mjs'), files);
  const names = [...files].flatMap((file) => /([\w-]+)\.module\.mjs$/.exec(file)?.slice(1) ?? []);
  const sheets = [...new Set(names)].map((name) => sheet(name)).filter((file) => existsSync(file));
  return sheets.toSorted((a, b) => position(a) - position(b));
}

const sheet = (name: string): string => path.join(library, 'styles', `${name}.css`);

const whole = readFileSync(path.join(library, 'styles.css'), 'utf8');

/** Returns where the sheet of all styles has a sheet. */
const position = (file: string): number => whole.indexOf(readFileSync(file, 'utf8').trim().slice(0, 200));

/** Adds a file and all files of the library that it imports. */
function collect(file: string, files: Set<string>): void {
  if (files.has(file) || !existsSync(file)) return;
  files.add(file);
  for (const [, specifier] of readFileSync(file, 'utf8').matchAll(/from "(\.[^"]+)"/g)) {
    collect(path.resolve(path.dirname(file), specifier!), files);
  }
}
