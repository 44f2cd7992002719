import { flushCompileCache } from 'node:module';
import { createLogger } from '#platform/observability/logger.ts';

import { describeFailure } from './failure.ts';
import type { ChildMessage, ParentMessage } from './messages.ts';

/** A running part of the service (API or worker); disposing of it finishes what is in flight and closes it. */
export interface ChildService extends AsyncDisposable {
  /** Where it listens, if it does. */
  readonly url?: string;
}

/** A stop that takes longer is cut: the service promises to be gone 10 s after SIGTERM. */
const stopLimitMs = 9_000;

/**
 * Runs a part of the service as this process: starts it, tells the supervisor, and stops it on SIGTERM or SIGINT.
 * Works without a supervisor too (`ROSTER_ROLE=api|worker`); one that is killed takes its children along.
 *
 * Under a supervisor SIGINT is ignored: Ctrl-C reaches every process of the terminal at once, and the supervisor stops
 * the parts in their order. A start that fails prints its message and ends the process with code 1.
 * An uncaught exception is logged and ends the process: its state is unknown, and the supervisor starts another.
 */
export async function runChild(start: () => Promise<ChildService>): Promise<void> {
  const isSupervised = process.send !== undefined;
  let service: ChildService | undefined;
  let isStopping = false;
  const stop = (): void => {
    if (isStopping) return;
    isStopping = true;
    // Nothing was accepted before the start is complete, so nothing is lost by leaving in the middle of it.
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
  // It may have gone while this program was being loaded.
  if (isSupervised && !process.connected) process.exit(0);
  process.on('SIGTERM', stop);
  process.on('SIGINT', isSupervised ? () => undefined : stop);
  // The supervisor was killed. Leave at once, as if killed too: the service that is started next wants the port, and what
  // was not answered is not promised.
  process.on('disconnect', () => process.exit(1));

  try {
    service = await start();
  } catch (error) {
    const message = describeFailure(error);
    // The supervisor prints the message; without one it is ours to print.
    if (isSupervised) tell({ type: 'failed', message }, () => process.exit(1));
    else {
      process.stderr.write(`${message}\n`);
      process.exit(1);
    }
    return;
  }
  // Node writes what it has compiled when a process ends, however it ends itself: after the first start that is for seconds where the
  // disk is busy. Not then: the supervisor may have been killed, and the next service wants the port.
  flushCompileCache();
  tell({ type: 'ready', ...(service.url === undefined ? {} : { url: service.url }) });
}

/** Hands the metrics of this process to the one that serves `/metrics`; a no-op without a supervisor. */
export function publishMetrics(metrics: unknown): void {
  tell({ type: 'metrics', metrics });
}

/** Calls `listener` with the metrics that the worker published last, whenever they arrive. */
export function onWorkerMetrics(listener: (metrics: unknown) => void): void {
  process.on('message', (message: ParentMessage) => {
    if (message.type === 'metrics') listener(message.metrics);
  });
}

/**
 * Logs what ended the process. Only where it happened: messages and details of the database quote values,
 * which are personal data, and Node would print all of them.
 */
function logCrash(error: unknown): void {
  const isError = error instanceof Error;
  const code = isError && 'code' in error ? error.code : undefined;
  const isDatabase = isError && 'severity' in error;
  const frames = isError ? (error.stack ?? '').split('\n').filter((line) => /^\s+at /.test(line)) : [];
  const err = {
    type: isError ? error.name : typeof error,
    code,
    message: isDatabase || !isError ? undefined : error.message,
  };
  createLogger({ logLevel: 'fatal', logFormat: 'auto' }, 'roster').fatal(
    { err: { ...err, stack: frames.join('\n') } },
    'a defect ended the process',
  );
}

function tell(message: ChildMessage, sent: () => void = () => undefined): void {
  // A supervisor that is gone shows as 'disconnect'; its closed channel is no error of ours.
  if (process.connected) process.send?.(message, undefined, undefined, sent);
  else sent();
}
