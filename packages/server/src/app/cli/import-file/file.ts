import { createReadStream, fstatSync } from 'node:fs';
import { open, stat } from 'node:fs/promises';
import path from 'node:path';
import { CommandError, exitCodes, fileError } from '../terminal/exit-codes.ts';
import { pathFromCaller } from '../terminal/shell.ts';
import type { Terminal } from '../terminal/terminal.ts';
import { fileId, type FileId } from '../terminal/writable.ts';

/** The input of an import: a file, or standard input. */
export interface Source {
  /** Name of the file without its directory; undefined for standard input. */
  readonly name: string | undefined;
  /** Size in bytes; undefined for a pipe. */
  readonly size: number | undefined;
  /** True if {@link open} can be called more than once. */
  readonly canReopen: boolean;
  /** Path of the file; undefined for standard input. */
  readonly path: string | undefined;
  /** Identity of the file, also of one that the shell opened as standard input. */
  readonly id: FileId | undefined;
  open(): AsyncIterable<Uint8Array>;
}

/** Finds the input of an import. Throws a {@link CommandError} if it cannot be read. */
export async function findSource({ stdin }: Terminal, file: string | undefined): Promise<Source> {
  if (file === undefined || file === '-') {
    if (stdin.isTTY !== true)
      return {
        name: undefined,
        size: undefined,
        canReopen: false,
        path: undefined,
        id: idOfInput(stdin),
        open: () => stdin,
      };
    throw new CommandError(exitCodes.usage, 'Name a file, or pipe one in: roster import customers.csv');
  }
  const place = pathFromCaller(file);
  try {
    const facts = await stat(place, { bigint: true });
    if (facts.isDirectory()) throw new Error('it is a directory');
    await (await open(place)).close();
    // A pipe (`<(zcat …)`) has no size, and cannot be read twice.
    const size = facts.isFile() ? Number(facts.size) : undefined;
    return {
      name: path.basename(place),
      size,
      canReopen: facts.isFile(),
      path: place,
      id: fileId(facts),
      open: () => createReadStream(place),
    };
  } catch (error) {
    throw fileError(file, 'read', error);
  }
}

function idOfInput(stdin: Terminal['stdin']): FileId | undefined {
  return 'fd' in stdin && typeof stdin.fd === 'number' ? fileId(fstatSync(stdin.fd, { bigint: true })) : undefined;
}
