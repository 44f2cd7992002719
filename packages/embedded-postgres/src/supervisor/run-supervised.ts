import { flushCompileCache } from 'node:module';

import type { ChildMessage, ParentMessage } from './messages.ts';

/** A running part of a program; disposing of it finishes what is in flight and closes it. */
export interface ChildService extends AsyncDisposable {
  /** Where it listens, if it does. */
  readonly url?: string;
}

/** How a child program tells of failures. */
export interface RunSupervisedOptions {
  /** The text for people about a start or a stop that failed; default: the stack. */
  readonly describeFailure?: (error: unknown) => string;
  /**
   * Logs an uncaught exception, which ends the process; default: writes the stack to standard
   * error.
   */
  readonly logCrash?: (error: unknown) => void;
  /** How long a stop may take before the process ends anyway, in milliseconds; default 9000. */
  readonly stopLimitMs?: number;
}

/**
 * Runs a part of a program as this process: starts it, tells the supervisor, and stops it on
 * SIGTERM or SIGINT. Works without a supervisor too; when a supervisor is killed, its children end.
 *
 * Under a supervisor SIGINT is ignored: Ctrl-C reaches every process of the terminal at once, and
 * the supervisor stops the parts in their order. A start that fails ends the process with code 1;
 * the supervisor gets the message, or standard error does when there is none. An uncaught exception
 * is logged and ends the process: its state is unknown, and the supervisor starts another.
 */
export async function runSupervised(
  start: () => Promise<ChildService>,
  options: RunSupervisedOptions = {},
): Promise<void> {
  const { describeFailure = stackOf, logCrash = printStack, stopLimitMs = 9_000 } = options;
  const isSupervised = process.send !== undefined;
  let service: ChildService | undefined;
  let isStopping = false;
  const stop = (): void => {
    if (isStopping) return;
    isStopping = true;
    // Nothing was accepted before the start is complete, so nothing is lost by leaving in the
    // middle of it.
    if (service === undefined) process.exit(0);
    setTimeout(() => process.exit(1), stopLimitMs).unref();
    service[Symbol.asyncDispose]().then(
      () => process.exit(0),
      (error: unknown) => {
        process.stderr.write(`${describeFailure(error)}\n`);
        process.exit(1);
      },
    );
  };
  process.on('uncaughtException', (error) => {
    logCrash(error);
    process.exit(1);
  });
  // The supervisor may have ended while this program was being loaded.
  if (isSupervised && !process.connected) process.exit(0);
  process.on('SIGTERM', stop);
  process.on('SIGINT', isSupervised ? () => undefined : stop);
  // The supervisor was killed. Leave at once, as if killed too: the service that is started next
  // wants the port, and what was not answered is not promised.
  process.on('disconnect', () => process.exit(1));

  try {
    service = await start();
  } catch (error) {
    const message = describeFailure(error);
    // The supervisor prints the message; without one this process does.
    if (isSupervised) tell({ type: 'failed', message }, () => process.exit(1));
    else {
      process.stderr.write(`${message}\n`);
      process.exit(1);
    }
    return;
  }
  // Node writes its compile cache when a process ends, which takes seconds after a first start
  // where the disk is busy. So it is written now: the supervisor may be killed, and then the next
  // service wants the port.
  flushCompileCache();
  tell({ type: 'ready', ...(service.url === undefined ? {} : { url: service.url }) });
}

/**
 * Sends a value to the supervisor, which hands it to `onMessage`; does nothing without a
 * supervisor.
 */
export function sendToSupervisor(body: unknown): void {
  tell({ type: 'message', body });
}

/** Calls `listener` with each value that the supervisor sends to this process. */
export function onSupervisorMessage(listener: (body: unknown) => void): void {
  process.on('message', (message: ParentMessage) => {
    if (message.type === 'message') listener(message.body);
  });
}

function tell(message: ChildMessage, sent: () => void = () => undefined): void {
  // A supervisor that has ended shows as 'disconnect'; its closed channel is not an error of this
  // process.
  if (process.connected) process.send?.(message, undefined, undefined, sent);
  else sent();
}

const stackOf = (error: unknown): string => (error instanceof Error ? (error.stack ?? error.message) : String(error));

const printStack = (error: unknown): void => void process.stderr.write(`${stackOf(error)}\n`);
