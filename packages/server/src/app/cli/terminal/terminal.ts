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

/** The answer to a yes-or-no question; `interrupted` after Ctrl-C. */
export type Answer = 'yes' | 'no' | 'interrupted';

/** Asks a yes-or-no question. Returns undefined if there is no terminal to ask on. */
export async function confirm({ stdin, stderr }: Terminal, question: string): Promise<Answer | undefined> {
  if (stdin.isTTY !== true || stderr.isTTY !== true) return undefined;
  const lines = createInterface({ input: stdin, output: stderr });
  const interrupt = new AbortController();
  lines.once('SIGINT', () => interrupt.abort());
  try {
    const typed = await lines.question(`${question} [y/N] `, { signal: interrupt.signal });
    return /^y(es)?$/i.test(typed.trim()) ? 'yes' : 'no';
  } catch (error) {
    // Ctrl-D counts as no. The cursor is still on the line of the question.
    if (!(error instanceof Error && error.name === 'AbortError')) throw error;
    stderr.write('\n');
    return interrupt.signal.aborted ? 'interrupted' : 'no';
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
  if (answer === 'yes') return;
  if (answer === 'no') throw new CommandError(exitCodes.failed, 'Nothing was changed.');
  if (answer === 'interrupted') throw new CommandError(exitCodes.interrupted, 'Interrupted. Nothing was changed.');
  throw new CommandError(exitCodes.usage, `${question} There is no terminal to ask on. Confirm with --yes.`);
}

/**
 * Tells whether the reader of the output has exited, as in `roster … | head`. That is not a
 * failure.
 */
export function isBrokenPipe(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'EPIPE';
}
