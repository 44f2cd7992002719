import { PassThrough, Readable } from 'node:stream';
import { onTestFinished } from 'vitest';
import { runCommandLine } from '#app/cli/program.ts';

/** The output of a command, and its exit code. */
export interface CommandResult {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs a command in this process. `input` is its standard input, or the text in it. No stream is a terminal. */
export async function run(args: readonly string[], input: string | Readable = ''): Promise<CommandResult> {
  const stdin = typeof input === 'string' ? Readable.from([Buffer.from(input)], { objectMode: false }) : input;
  const [stdout, stderr] = [new PassThrough(), new PassThrough()];
  const texts = [stdout, stderr].map(async (stream) => {
    let text = '';
    for await (const chunk of stream) text += String(chunk);
    return text;
  });
  const code = await runCommandLine(args, { stdin, stdout, stderr });
  stdout.end();
  stderr.end();
  const [out, err] = await Promise.all(texts);
  return { code, stdout: out!, stderr: err! };
}

/**
 * Removes the listeners of SIGINT until the test ends, for a test that emits it. Another test file
 * of this process may have left a listener that ends the process.
 */
export function withoutInterruptListeners(): void {
  const others = process.listeners('SIGINT');
  process.removeAllListeners('SIGINT');
  onTestFinished(() => others.forEach((listener) => process.on('SIGINT', listener)));
}
