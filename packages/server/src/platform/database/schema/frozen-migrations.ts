import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';

const directory = path.join(import.meta.dirname, 'migrations');

/** Name of the file, beside the migrations, that has the name and the hash of every migration that was ever there. */
export const frozenFile = path.join(directory, 'frozen.txt');

/** The migrations as they are now: a line with SHA-256 and name for each, as `sha256sum` writes it. */
export function migrationLines(): string[] {
  return readdirSync(directory)
    .filter((name) => name.endsWith('.sql'))
    .sort()
    .map(
      (name) =>
        `${createHash('sha256')
          .update(readFileSync(path.join(directory, name)))
          .digest('hex')}  ${name}`,
    );
}

/**
 * The text of {@link frozenFile} with a line for each migration that is new. Lines that are there stay, whatever the files are now: databases
 * have those migrations, by those names, and would not get what is changed in them.
 */
export function freezeMigrations(before: string): string {
  const lines = before.split('\n').filter((line) => line !== '');
  const known = new Set(lines.map(nameOf));
  const added = migrationLines().filter((line) => !known.has(nameOf(line)));
  return [...lines, ...added].map((line) => `${line}\n`).join('');
}

function nameOf(line: string): string {
  return line.split('  ')[1] ?? '';
}
