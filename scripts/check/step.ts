import { spawn } from 'node:child_process';
import path from 'node:path';

const root = path.dirname(path.dirname(import.meta.dirname));

/** One program of the check. */
export interface Step {
  readonly name: string;
  /** A program of node_modules/.bin, or `node`. */
  readonly program: string;
  readonly args: readonly string[];
  /** What to do when it fails. */
  readonly advice?: string;
}

/** How a step ended. */
export interface StepResult {
  readonly step: Step;
  readonly ok: boolean;
  readonly seconds: number;
  /** What it printed; empty when it printed to the terminal itself. */
  readonly output: string;
}

/** Runs a step. Its output is collected, or goes to the terminal as it comes when `show` is true. Never throws. */
export async function runStep(step: Step, { show = false }: { show?: boolean } = {}): Promise<StepResult> {
  const started = performance.now();
  // The bootstrap has put the pinned Node first in PATH; the programs of the dependencies follow.
  const bin = path.join(root, 'node_modules', '.bin');
  const program = step.program === 'node' ? process.execPath : path.join(bin, step.program);
  const child = spawn(program, step.args, {
    cwd: root,
    stdio: show ? 'inherit' : ['ignore', 'pipe', 'pipe'],
    env: { ...process.env, PATH: `${path.dirname(process.execPath)}${path.delimiter}${process.env['PATH'] ?? ''}` },
  });
  const chunks: Buffer[] = [];
  child.stdout?.on('data', (chunk: Buffer) => chunks.push(chunk));
  child.stderr?.on('data', (chunk: Buffer) => chunks.push(chunk));
  const { promise, resolve } = Promise.withResolvers<boolean>();
  child.on('error', (error) => {
    chunks.push(Buffer.from(`${error.message}\n`));
    resolve(false);
  });
  child.on('close', (code) => resolve(code === 0));
  const ok = await promise;
  return { step, ok, seconds: (performance.now() - started) / 1000, output: Buffer.concat(chunks).toString().trim() };
}
