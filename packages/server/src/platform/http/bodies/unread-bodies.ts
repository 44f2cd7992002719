import type { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import type { FastifyInstance } from 'fastify';
import { bodyLimit } from './json-bodies.ts';

// Clients that write their whole body before they read the response must still see it. So some megabytes beyond the limit are read, too.
const mostBytes = 2 * bodyLimit;
const mostMilliseconds = 15_000;

/** Bytes of refused bodies that a process reads in one {@link slice}, about 16 MiB a second: enough for mistakes, and little work for the event loop. */
export const bytesPerSlice = 1024 * 1024;

/** Milliseconds after which what may be read is renewed. */
export const slice = 64;

/**
 * Reads the rest of a body, and throws it away, when its request is refused before the body has arrived.
 *
 * A connection that is closed with unread bytes is reset, and the client can lose the response. So the connection is read on, also when it
 * ends with the response, as HTTP/1.0 and `Connection: close` demand. It is read at a limited rate: all refused bodies of a process share
 * {@link bytesPerSlice}, because a flood of them must not slow the other callers. A body that is not read within the limits of this file
 * ends its connection.
 */
export function forgetUnreadBodies(app: FastifyInstance): void {
  const pace = createPace();
  // A stop waits for open requests.
  app.addHook('preClose', async () => pace.end());
  app.addHook('onSend', (request, reply, payload, done) => {
    // A request that did not come over a connection, as tests inject them, does not say whether it is complete: there is nothing to read.
    // One that is destroyed has no more connection to read from.
    if ('complete' in request.raw && !request.raw.complete && !request.raw.destroyed && hasBody(request.raw)) {
      reply.removeHeader('connection');
      forget(request.raw, pace);
    }
    done(null, payload);
  });
}

function hasBody({ headers }: IncomingMessage): boolean {
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;
}

function forget(request: IncomingMessage, pace: Pace): void {
  const { socket } = request;
  let bytes = 0;
  const end = (): void => void socket.destroy();
  const timer = setTimeout(end, mostMilliseconds);
  const closeAfterBody = closeLate(socket);
  request.once('close', () => {
    clearTimeout(timer);
    pace.leave(request);
    closeAfterBody(pace.isOver);
  });
  // An operation may have begun to read it, and stopped in the middle.
  request.unpipe();
  request.on('data', (chunk: Buffer) => {
    bytes += chunk.length;
    if (bytes > mostBytes) end();
    else pace.count(chunk.length, request);
  });
  pace.count(0, request);
}

/**
 * Node closes a connection with `destroySoon` when its last response is written. Until the returned function is called, the client only sees
 * the end of the response, and what it sends is read. The function closes such a connection, or any with `always`.
 */
function closeLate(socket: Socket): (always: boolean) => void {
  let isLast = false;
  socket.destroySoon = () => {
    isLast = true;
    socket.end();
  };
  return (always) => {
    // Only the socket's own property: its class has the method.
    Reflect.deleteProperty(socket, 'destroySoon');
    if (isLast || always) socket.destroySoon();
  };
}

/** Shares between refused bodies what may be read of them. */
interface Pace {
  /** Counts bytes that were read of a body; the body goes on now, or pauses until its turn comes. */
  count(bytes: number, body: IncomingMessage): void;
  /** Forgets a body. */
  leave(body: IncomingMessage): void;
  /** From now on nothing pauses. */
  end(): void;
  /** True after {@link end}. */
  readonly isOver: boolean;
}

/** Makes a pace. Bodies that pause go on in the order in which they paused. */
function createPace(): Pace {
  const paused = new Set<IncomingMessage>();
  let left = bytesPerSlice;
  let renewedAt = performance.now();
  let isOver = false;
  let timer: NodeJS.Timeout | undefined;

  function renew(): void {
    timer = undefined;
    const now = performance.now();
    // By the time that has passed: the timers of a busy process are not so exact.
    left = isOver ? Infinity : Math.min(bytesPerSlice, left + ((now - renewedAt) / slice) * bytesPerSlice);
    renewedAt = now;
    let expected = 0;
    for (const body of paused) {
      if (expected >= left) break;
      // About what it has read by the time at which it is counted again.
      expected += body.readableHighWaterMark;
      paused.delete(body);
      body.resume();
    }
    if (paused.size > 0) timer = setTimeout(renew, slice);
  }

  return {
    count(bytes, body) {
      left -= bytes;
      timer ??= setTimeout(renew, slice);
      if (left > 0) return void body.resume();
      body.pause();
      paused.add(body);
    },
    leave: (body) => void paused.delete(body),
    end() {
      clearTimeout(timer);
      isOver = true;
      renew();
    },
    get isOver() {
      return isOver;
    },
  };
}
