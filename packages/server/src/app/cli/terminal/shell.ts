import path from 'node:path';

/**
 * Resolves a path relative to the directory in which the user typed the command.
 *
 * npm runs scripts in the root of the project and passes the caller's directory in `INIT_CWD`.
 * `npm run roster -- import contacts.csv` means a file in that directory.
 */
export function pathFromCaller(file: string, env: Readonly<Record<string, string | undefined>> = process.env): string {
  const from = env['npm_lifecycle_event'] === undefined ? undefined : env['INIT_CWD'];
  return path.resolve(from ?? process.cwd(), file);
}

/** Quotes a text as one word of a shell command, if it needs quotes. */
export function quoteForShell(text: string): string {
  return /^[\w./:@%+-]+$/.test(text) ? text : `'${text.replaceAll("'", String.raw`'\''`)}'`;
}
