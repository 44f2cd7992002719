import { CommandError, exitCodes } from './exit-codes.ts';

/** Catches Ctrl-C until it is disposed, so that a command can report what it leaves unfinished. */
export interface Interrupt extends Disposable {
  readonly signal: AbortSignal;
}

/** Makes the first SIGINT or SIGTERM abort a signal. The second one kills the process. */
export function catchInterrupt(): Interrupt {
  const controller = new AbortController();
  const signals = ['SIGINT', 'SIGTERM'] as const;
  const release = (): void => signals.forEach((name) => process.off(name, abort));
  const abort = (): void => {
    release();
    controller.abort(new CommandError(exitCodes.interrupted, 'Interrupted.'));
  };
  for (const name of signals) process.on(name, abort);
  return { signal: controller.signal, [Symbol.dispose]: release };
}
