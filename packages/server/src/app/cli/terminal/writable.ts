import type { BigIntStats } from 'node:fs';
import { access, constants, stat } from 'node:fs/promises';
import path from 'node:path';
import { CommandError, exitCodes, fileError } from './exit-codes.ts';
import { pathFromCaller } from './shell.ts';

/** The device and the inode of a file. They are the same through all its links. */
export type FileId = Readonly<Pick<BigIntStats, 'dev' | 'ino'>>;

/** Returns the identity of a file. A pipe or a device has none: writing to it replaces nothing. */
export function fileId(facts: BigIntStats): FileId | undefined {
  return facts.isFile() ? { dev: facts.dev, ino: facts.ino } : undefined;
}

/** Returns the file of `--output`; undefined for standard output, which is `-` or nothing. */
export function outputFile(file: string | undefined): string | undefined {
  return file === '-' ? undefined : file;
}

/**
 * Checks that an output file is not the file that the command reads, which it would overwrite.
 * Throws a {@link CommandError} if it is. `option` names the output file.
 */
export async function requireOtherFile(option: string, file: string, input: FileId | undefined): Promise<void> {
  const facts = await stat(pathFromCaller(file), { bigint: true }).catch(() => undefined);
  const output = facts === undefined ? undefined : fileId(facts);
  if (output === undefined || output.dev !== input?.dev || output.ino !== input.ino) return;
  throw new CommandError(
    exitCodes.usage,
    `${option} ${file} is the file to import. It would be overwritten. Name another file.`,
  );
}

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
    throw fileError(file, 'written', error);
  }
}
