import { Readable } from 'node:stream';
import type { Permission, RunningAnswer } from '@roster/contract';
import { second } from '#platform/time/intervals.ts';
import { visibleWork, type SourceWork } from './list-work.ts';
import type { WorkWatch } from './work-watch.ts';

/** Milliseconds between two checks of the rights of a listener. */
export const checkInterval = 5 * second;
/** Milliseconds without an event after which a comment is sent, so that proxies stay connected. */
const heartbeatInterval = 15 * second;

/** Tells whether a listener may have a permission. */
type Can = (permission: Permission) => boolean;

/** One listener of the events of an account. */
export interface Listener {
  readonly accountId: number;
  /** The rights at the start. */
  readonly can: Can;
  /** Finds the present rights; undefined when the listener must go. */
  readonly check: () => Promise<Can | undefined>;
}

/**
 * Makes the body of a response with server-sent events: the visible work at the start, and again
 * after each change. The body ends when the listener loses its rights, or when `stop` is aborted.
 *
 * A client that reads slowly misses states, never the newest one: only one event waits.
 */
export function openEventStream(watch: WorkWatch, listener: Listener, stop: AbortSignal): Readable {
  let can = listener.can;
  let sources: readonly SourceWork[] | undefined;
  let sent: string | undefined;
  let lastSent = Date.now();
  let id = 0;
  let isFull = false;

  const stream = new Readable({
    read() {
      isFull = false;
      sendNews();
    },
  });

  function send(text: string): void {
    if (stream.destroyed || stream.readableEnded) return;
    lastSent = Date.now();
    isFull = !stream.push(text);
  }

  function sendNews(): void {
    if (isFull || sources === undefined) return;
    const answer: RunningAnswer = { data: visibleWork(sources, can) };
    const text = JSON.stringify(answer);
    if (text === sent) return;
    sent = text;
    id++;
    send(`event: running\nid: ${id}\ndata: ${text}\n\n`);
  }

  // The first bytes tell the client that it is connected. It reconnects after two seconds.
  send('retry: 2000\n\n');
  const unlisten = watch.listen(listener.accountId, (found) => {
    sources = found;
    sendNews();
  });
  const checking = setInterval(() => {
    listener.check().then(
      (present) => {
        if (present === undefined) end();
        else {
          can = present;
          sendNews();
        }
      },
      // The database is away: the rights are unknown, so the stream must end.
      () => end(),
    );
  }, checkInterval);
  const beating = setInterval(() => {
    if (!isFull && Date.now() - lastSent >= heartbeatInterval - second) send(': still here\n\n');
  }, heartbeatInterval);

  function end(): void {
    if (!stream.destroyed && !stream.readableEnded) stream.push(null);
    close();
  }
  function close(): void {
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
