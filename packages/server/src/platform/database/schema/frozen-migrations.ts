import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';

const directory = path.join(import.meta.dirname, 'migrations');

/** The file with the name and hash of every migration that was ever released. */
export const frozenFile = path.join(directory, 'frozen.txt');

/** Returns a line with SHA-256 and name for each current migration, as `sha256sum` writes it. */
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
 * Adds a line for each new migration to the text of {@link frozenFile}. Existing lines never
 * change: databases already have those migrations, and would not get changes to them.
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
