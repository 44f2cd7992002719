import path from 'node:path';

/**
 * The path of a file as whoever typed it means it.
 *
 * npm runs scripts in the root of the project, and says where it was called: `npm run roster -- import contacts.csv` means a file there.
 */
export function pathFromCaller(file: string, env: Readonly<Record<string, string | undefined>> = process.env): string {
  const from = env['npm_lifecycle_event'] === undefined ? undefined : env['INIT_CWD'];
  return path.resolve(from ?? process.cwd(), file);
}
