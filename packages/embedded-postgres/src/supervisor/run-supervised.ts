import { flushCompileCache } from 'node:module';

import { collectWhenIdle } from './idle-memory.ts';
import type { ChildMessage, ParentMessage } from './messages.ts';

/** A running part of a program. Disposing of it finishes its current work and closes it. */
export interface ChildService extends AsyncDisposable {
  /** Its address, if it listens. */
  readonly url?: string;
}

/** Options of {@link runSupervised}. */
export interface RunSupervisedOptions {
  /** Returns the text to show for a failed start or stop; default: the stack. */
  readonly describeFailure?: (error: unknown) => string;
  /**
   * Logs an uncaught exception, which ends the process; default: writes the stack to standard
   * error.
   */
  readonly logCrash?: (error: unknown) => void;
}

/**
 * Runs a part of a program as this process. Starts it, reports to the supervisor, and stops it on
 * SIGTERM or SIGINT. It also works without a supervisor.
 *
 * - Under a supervisor, SIGINT is ignored. Ctrl-C reaches all processes of the terminal, but the
 *   supervisor must stop them in order.
 * - If the supervisor is killed, this process exits.
 * - If the start fails, the process exits with code 1. The message goes to the supervisor, or to
 *   standard error.
 * - An uncaught exception is logged and ends the process, because its state is unknown. The
 *   supervisor restarts it.
 */
export async function runSupervised(
  start: () => Promise<ChildService>,
  options: RunSupervisedOptions = {},
): Promise<void> {
  const { describeFailure = stackOf, logCrash = printStack } = options;
  const isSupervised = process.send !== undefined;
  let service: ChildService | undefined;
  let isStopping = false;
  const stop = (): void => {
    if (isStopping) return;
    isStopping = true;
    // Before the start is complete, there is no work that could be lost.
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
  // The supervisor may have ended while this program was loading.
  if (isSupervised && !process.connected) process.exit(0);
  process.on('SIGTERM', stop);
  process.on('SIGINT', isSupervised ? () => undefined : stop);
  // The supervisor was killed. Exit at once, because the next service needs the port. Requests
  // without a response are lost, as in any crash.
  process.on('disconnect', () => process.exit(1));

  try {
    service = await start();
  } catch (error) {
    const message = describeFailure(error);
    // The supervisor prints the message. Without a supervisor, this process prints it.
    if (isSupervised) tell({ type: 'failed', message }, () => process.exit(1));
    else {
      process.stderr.write(`${message}\n`);
      process.exit(1);
    }
    return;
  }
  tell({ type: 'ready', ...(service.url === undefined ? {} : { url: service.url }) });
  // By default, Node writes its compile cache at the exit. After a first start on a slow disk, that
  // takes seconds. Write it before, so that this process frees its port fast if the supervisor is
  // killed, but not during the start, which people wait for.
  setTimeout(flushCompileCache, cacheDelayMs).unref();
  collectWhenIdle();
}

/** Milliseconds that a stop may take before the process exits anyway. */
const stopLimitMs = 9_000;

/** Milliseconds from the start to the write of the compile cache. */
const cacheDelayMs = 10_000;

/** Sends a value to the `onMessage` of the supervisor. Does nothing without a supervisor. */
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
  // If the supervisor has ended, the 'disconnect' handler exits. Sending must not throw before
  // that.
  if (process.connected) process.send?.(message, undefined, undefined, sent);
  else sent();
}

const stackOf = (error: unknown): string => (error instanceof Error ? (error.stack ?? error.message) : String(error));

const printStack = (error: unknown): void => void process.stderr.write(`${stackOf(error)}\n`);
