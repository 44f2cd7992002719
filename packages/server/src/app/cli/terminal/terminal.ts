import type { Readable, Writable } from 'node:stream';
import { createInterface } from 'node:readline/promises';

/** The streams of a command: data goes to `stdout`, everything for people to `stderr`. */
export interface Terminal {
  readonly stdin: Readable & { readonly isTTY?: boolean };
  readonly stdout: Writable & { readonly isTTY?: boolean };
  readonly stderr: Writable & { readonly isTTY?: boolean };
}

/** True when somebody can see a progress bar. */
export const showsProgress = ({ stderr }: Terminal): boolean => stderr.isTTY === true;

/** Writes a text and waits until it is taken: a process that ends early would cut it off. */
export async function write(stream: Writable, text: string): Promise<void> {
  await new Promise<void>((resolve, reject) => {
    stream.write(text, (error) => (error ? reject(error) : resolve()));
  });
}

/** Asks a question and tells whether the answer is yes; undefined when there is nobody to ask. */
export async function confirm({ stdin, stderr }: Terminal, question: string): Promise<boolean | undefined> {
  if (stdin.isTTY !== true || stderr.isTTY !== true) return undefined;
  const lines = createInterface({ input: stdin, output: stderr });
  try {
    return /^y(es)?$/i.test((await lines.question(`${question} [y/N] `)).trim());
  } catch (error) {
    // Ctrl-C and Ctrl-D: the line goes on where the question stands.
    if (!(error instanceof Error && error.name === 'AbortError')) throw error;
    stderr.write('\n');
    return false;
  } finally {
    lines.close();
  }
}

/** True when whoever reads the output has gone: `roster … | head` ends like that, and it is no failure. */
export function isBrokenPipe(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'EPIPE';
}
