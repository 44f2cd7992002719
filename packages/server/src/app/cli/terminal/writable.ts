import { access, constants, stat } from 'node:fs/promises';
import path from 'node:path';
import { CommandError, exitCodes } from './exit-codes.ts';
import { pathFromCaller } from './shell.ts';

/**
 * Checks before a long command that its output file can be written. Throws a {@link CommandError}
 * if not.
 */
export async function requireWritable(file: string): Promise<void> {
  const place = pathFromCaller(file);
  try {
    const facts = await stat(place).catch(() => undefined);
    if (facts?.isDirectory() === true) throw new Error('it is a directory');
    await access(facts === undefined ? path.dirname(place) : place, constants.W_OK);
  } catch (error) {
    throw new CommandError(exitCodes.failed, `${file} cannot be written: ${(error as Error).message}`, {
      cause: error,
    });
  }
}
