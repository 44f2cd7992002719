import type { Readable, Writable } from 'node:stream';
import { createInterface } from 'node:readline/promises';
import { CommandError, exitCodes } from './exit-codes.ts';

/** The streams of a command. Results go to `stdout`; questions, progress and errors to `stderr`. */
export interface Terminal {
  readonly stdin: Readable & { readonly isTTY?: boolean };
  readonly stdout: Writable & { readonly isTTY?: boolean };
  readonly stderr: Writable & { readonly isTTY?: boolean };
}

/** Writes a text and waits until the stream has taken it. An exit before that could lose text. */
export async function write(stream: Writable, text: string): Promise<void> {
  await new Promise<void>((resolve, reject) => {
    stream.write(text, (error) => (error ? reject(error) : resolve()));
  });
}

/** Asks a yes-or-no question. Returns undefined if there is no terminal to ask on. */
export async function confirm({ stdin, stderr }: Terminal, question: string): Promise<boolean | undefined> {
  if (stdin.isTTY !== true || stderr.isTTY !== true) return undefined;
  const lines = createInterface({ input: stdin, output: stderr });
  try {
    return /^y(es)?$/i.test((await lines.question(`${question} [y/N] `)).trim());
  } catch (error) {
    // Ctrl-C or Ctrl-D counts as no. The cursor is still on the line of the question.
    if (!(error instanceof Error && error.name === 'AbortError')) throw error;
    stderr.write('\n');
    return false;
  } finally {
    lines.close();
  }
}

/**
 * Asks before a change that cannot be undone, unless `--yes` was given.
 * Throws a {@link CommandError} if the answer is no, or if there is no terminal to ask on.
 */
export async function requireConfirmation(
  terminal: Terminal,
  options: { readonly yes?: boolean },
  question: string,
): Promise<void> {
  if (options.yes === true) return;
  const answer = await confirm(terminal, question);
  if (answer === true) return;
  if (answer === false) throw new CommandError(exitCodes.failed, 'Nothing was changed.');
  throw new CommandError(exitCodes.usage, `${question} There is no terminal to ask on. Confirm with --yes.`);
}

/**
 * Tells whether the reader of the output has exited, as in `roster … | head`. That is not a
 * failure.
 */
export function isBrokenPipe(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'EPIPE';
}
