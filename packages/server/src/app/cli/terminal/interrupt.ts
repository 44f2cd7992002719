import { CommandError, exitCodes } from './exit-codes.ts';

/** Ctrl-C, while a command can say what is left behind. */
export interface Interrupt extends Disposable {
  readonly signal: AbortSignal;
}

/** Makes SIGINT and SIGTERM abort a signal, once: a second one ends the process at once. */
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
