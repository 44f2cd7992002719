import { PassThrough } from 'node:stream';
import type { Terminal } from '#app/cli/terminal/terminal.ts';

/** A terminal on which a person has typed some text. */
export interface TypedTerminal extends Terminal {
  /** Returns what standard error has shown. */
  readonly shown: () => string;
  /** Returns what was written to standard output. */
  readonly written: () => string;
}

/** Creates a terminal. Standard output is one only with `showsOutput`. */
export function typedTerminal(typed: string, { isTTY = true, showsOutput = false } = {}): TypedTerminal {
  const [stdin, stdout, stderr] = [new PassThrough(), new PassThrough(), new PassThrough()];
  let [shown, written] = ['', ''];
  stderr.on('data', (chunk: Buffer) => (shown += chunk.toString('utf8')));
  stdout.on('data', (chunk: Buffer) => (written += chunk.toString('utf8')));
  stdin.write(typed);
  // The methods that readline and progress bars call.
  const screen = { isTTY, columns: 100, cursorTo: () => true, moveCursor: () => true, clearLine: () => true };
  return {
    stdin: Object.assign(stdin, { isTTY, setRawMode: () => stdin }),
    stdout: Object.assign(stdout, { isTTY: showsOutput }),
    stderr: Object.assign(stderr, screen),
    shown: () => shown,
    written: () => written,
  };
}
