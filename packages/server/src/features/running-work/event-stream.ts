import { Readable } from 'node:stream';
import type { Permission, RunningAnswer } from '@roster/contract';
import { second } from '#platform/time/intervals.ts';
import { visibleWork, type SourceWork } from './list-work.ts';
import type { WorkWatch } from './work-watch.ts';

/** Milliseconds between two checks of the rights of a listener that gets no events. */
export const checkInterval = 5 * second;
/** Milliseconds without an event after which a comment is sent, so that proxies stay connected. */
const heartbeatInterval = 15 * second;

/** Tells whether a listener may have a permission. */
type Can = (permission: Permission) => boolean;

/** One listener of the events of an account. */
export interface Listener {
  readonly accountId: number;
  /** The rights at the start. They decide only whether there is something to send. */
  readonly can: Can;
  /** Finds the present rights; undefined when the listener must go. */
  readonly check: () => Promise<Can | undefined>;
}

/**
 * Makes the body of a response with server-sent events: the visible work at the start, and again
 * after each change. The body ends when the listener loses its rights, or when `stop` is aborted.
 *
 * The rights are checked before each event with data, and regularly. A look that finds no change
 * needs no check.
 *
 * A client that reads slowly misses states, never the newest one: only one event waits.
 */
export function openEventStream(watch: WorkWatch, listener: Listener, stop: AbortSignal): Readable {
  let can = listener.can;
  let sources: readonly SourceWork[] | undefined;
  let sent: string | undefined;
  let lastSent = performance.now();
  let id = 0;
  let isFull = false;
  let isChecking = false;
  let isClosed = false;

  const stream = new Readable({
    read() {
      isFull = false;
      if (hasNews()) void checkAndSend();
    },
  });

  function send(text: string): void {
    lastSent = performance.now();
    isFull = !stream.push(text);
  }

  function hasNews(): boolean {
    return !isClosed && !isFull && sources !== undefined && textOf(sources, can) !== sent;
  }

  /** Checks the rights, then sends what has changed. Only one check runs at a time. */
  async function checkAndSend(): Promise<void> {
    if (isChecking) return;
    isChecking = true;
    try {
      do {
        // Work that is found during the check could be newer than its result. It needs another.
        const found = sources;
        const present = await listener.check();
        if (isClosed) return;
        if (present === undefined) return end();
        can = present;
        const text = found === undefined ? sent : textOf(found, can);
        if (isFull || text === undefined || text === sent) continue;
        sent = text;
        id++;
        send(`event: running\nid: ${id}\ndata: ${text}\n\n`);
      } while (hasNews());
    } catch {
      // The database is away: the rights are unknown, so the stream must end.
      end();
    } finally {
      isChecking = false;
    }
  }

  // The first bytes tell the client that it is connected. It reconnects after two seconds.
  send('retry: 2000\n\n');
  const unlisten = watch.listen(listener.accountId, (found) => {
    sources = found;
    if (hasNews()) void checkAndSend();
  });
  const checking = setInterval(() => void checkAndSend(), checkInterval);
  const beating = setInterval(() => {
    if (!isFull && performance.now() - lastSent >= heartbeatInterval - second) send(': still here\n\n');
  }, heartbeatInterval);

  function end(): void {
    if (!isClosed && !stream.destroyed) stream.push(null);
    close();
  }
  function close(): void {
    isClosed = true;
    unlisten();
    clearInterval(checking);
    clearInterval(beating);
    stop.removeEventListener('abort', end);
  }
  stream.once('close', close);
  if (stop.aborted) end();
  else stop.addEventListener('abort', end, { once: true });
  return stream;
}

function textOf(sources: readonly SourceWork[], can: Can): string {
  const answer: RunningAnswer = { data: visibleWork(sources, can) };
  return JSON.stringify(answer);
}
