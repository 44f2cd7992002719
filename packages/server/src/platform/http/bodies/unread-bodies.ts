import type { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import type { FastifyInstance } from 'fastify';
import { bodyLimit } from './json-bodies.ts';

// A client that writes its whole body before it reads the response must still get the response. So
// bodies are read up to twice the limit.
const maxBytes = 2 * bodyLimit;
const maxMilliseconds = 15_000;

/**
 * Bytes of refused bodies that a process reads in one {@link slice}: about 16 MiB a second. That is
 * enough for mistakes of clients, and little work for the event loop.
 */
export const bytesPerSlice = 1024 * 1024;

/** Milliseconds after which {@link bytesPerSlice} more may be read. */
export const slice = 64;

/**
 * Reads and discards the rest of a body when its request is refused before the body has arrived.
 *
 * A connection that is closed with unread bytes is reset, and then the client can lose the
 * response. So the body is read even if the connection ends with the response, as with HTTP/1.0 and
 * `Connection: close`.
 *
 * All refused bodies of a process share {@link bytesPerSlice}, so that a flood of them does not
 * slow down other callers. A body that exceeds the limits of this file ends its connection.
 */
export function discardUnreadBodies(app: FastifyInstance): void {
  const pace = createPace();
  // Without this, a stop would wait for paused bodies.
  app.addHook('preClose', async () => pace.end());
  app.addHook('onSend', (request, reply, payload, done) => {
    // Requests that tests inject have no `complete`, and nothing to read. A destroyed request has
    // no connection to read from.
    if ('complete' in request.raw && !request.raw.complete && !request.raw.destroyed && hasBody(request.raw)) {
      reply.removeHeader('connection');
      discard(request.raw, pace);
    }
    done(null, payload);
  });
}

/** True for a request with a body. */
export function hasBody({ headers }: Pick<IncomingMessage, 'headers'>): boolean {
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;
}

function discard(request: IncomingMessage, pace: Pace): void {
  const { socket } = request;
  // The operation may have read a part of the body.
  request.unpipe();
  // Takes what has arrived, even when nothing more may be read: at the end of the response, Node
  // reads a body that nobody has begun to read without a limit, and without the listeners below.
  const arrived = request.read() as Buffer | null;
  let bytes = arrived?.length ?? 0;
  const end = (): void => void socket.destroy();
  const timer = setTimeout(end, maxMilliseconds);
  const closeAfterBody = closeLate(socket);
  request.once('close', () => {
    clearTimeout(timer);
    pace.leave(request);
    closeAfterBody(pace.isOver);
  });
  request.on('data', (chunk: Buffer) => {
    bytes += chunk.length;
    if (bytes > maxBytes) end();
    else pace.count(chunk.length, request);
  });
  pace.count(bytes, request);
}

/**
 * Delays the end of a connection. Node calls `destroySoon` when the last response is written. Until
 * the returned function is called, the client only sees the end of the response, and its bytes are
 * still read. The returned function closes such a connection; with `always`, any connection.
 */
function closeLate(socket: Socket): (always: boolean) => void {
  let isLast = false;
  socket.destroySoon = () => {
    isLast = true;
    socket.end();
  };
  return (always) => {
    // Deletes only the property of this socket. The method of the class remains.
    Reflect.deleteProperty(socket, 'destroySoon');
    if (isLast || always) socket.destroySoon();
  };
}

/** Limits the rate at which refused bodies are read. */
interface Pace {
  /** Counts bytes of a body. Resumes the body, or pauses it when the rate is exceeded. */
  count(bytes: number, body: IncomingMessage): void;
  /** Forgets a body. */
  leave(body: IncomingMessage): void;
  /** Ends all pauses, now and in the future. */
  end(): void;
  /** True after {@link end}. */
  readonly isOver: boolean;
}

/** Makes a pace. Paused bodies resume in the order in which they paused. */
function createPace(): Pace {
  const paused = new Set<IncomingMessage>();
  let left = bytesPerSlice;
  let renewedAt = performance.now();
  let isOver = false;
  let timer: NodeJS.Timeout | undefined;

  function renew(): void {
    timer = undefined;
    const now = performance.now();
    // Uses the actual time, because timers are late in a busy process.
    left = isOver ? Infinity : Math.min(bytesPerSlice, left + ((now - renewedAt) / slice) * bytesPerSlice);
    renewedAt = now;
    let expected = 0;
    for (const body of paused) {
      if (expected >= left) break;
      // About the bytes that the body delivers before it is counted again.
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
