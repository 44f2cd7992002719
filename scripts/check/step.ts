import { spawn } from 'node:child_process';
import path from 'node:path';

const root = path.dirname(path.dirname(import.meta.dirname));

/** One program that the check runs. */
export interface Step {
  readonly name: string;
  /** A program of node_modules/.bin, or `node`. */
  readonly program: string;
  readonly args: readonly string[];
  /** Advice for the developer when the step fails. */
  readonly advice?: string;
}

/** How a step ended. */
export interface StepResult {
  readonly step: Step;
  readonly ok: boolean;
  readonly seconds: number;
  /** The output; empty when the step printed to the terminal itself. */
  readonly output: string;
}

/** Runs a step, and collects its output unless `show` is true. Never throws. */
export async function runStep(step: Step, { show = false }: { show?: boolean } = {}): Promise<StepResult> {
  const started = performance.now();
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
