import net from 'node:net';
import { slowness } from '../crash/wait.ts';

/** The result of sending one request. */
export type Outcome =
  | {
      readonly kind: 'answered';
      readonly status: number;
      /** By name in lower case. If a name repeats, the last value. */
      readonly headers: ReadonlyMap<string, string>;
      readonly body: Buffer;
      readonly milliseconds: number;
      /** The first bytes after the end of the answer. Usually empty. */
      readonly more: string;
    }
  /** Nothing listens: the service has died, and the supervisor restarts it. */
  | { readonly kind: 'unsent'; readonly milliseconds: number }
  /** The connection ended before the answer was complete. */
  | { readonly kind: 'closed'; readonly reason: string; readonly milliseconds: number }
  /** The answer did not begin, or did not end, in time. */
  | { readonly kind: 'silent'; readonly milliseconds: number };

/** How to send a request. */
export interface Sending {
  readonly method: string;
  /**
   * Ends our side of the connection after the request, so that the service does not wait for
   * missing bytes.
   */
  readonly isTorn: boolean;
  /** True if no other request may use this connection. */
  readonly closes: boolean;
}

/** Every answer must begin within this time, in milliseconds. */
const answerLimit = 20_000 * slowness;

/**
 * Longest time from the first byte of an answer to its end, in milliseconds. It is long because the
 * export of a person reads all requests of the account.
 */
const streamLimit = 120_000 * slowness;

let lastAddress = 0;

/**
 * Returns the loopback address to connect from. On Linux, which has many, each call returns another
 * one.
 */
function nextSource(): { localAddress?: string } {
  if (process.platform !== 'linux') return {};
  lastAddress = (lastAddress + 1) % (250 * 250 * 50);
  const [low, middle, high] = [
    lastAddress % 250,
    Math.floor(lastAddress / 250) % 250,
    Math.floor(lastAddress / 62_500),
  ];
  return { localAddress: `127.${high + 1}.${middle}.${low + 1}` };
}

/**
 * One connection to the service, opened when it is needed.
 *
 * It writes bytes unchanged, which no HTTP client does, and reads one answer. Each new connection
 * comes from another loopback address, so that limits by address (failed authentication) stop few
 * requests.
 */
export class Connection implements Disposable {
  readonly #port: number;
  #socket: net.Socket | undefined;

  constructor(port: number) {
    this.#port = port;
  }

  /** Sends a request and reads its answer. Never rejects. */
  async exchange(bytes: Buffer, sending: Sending): Promise<Outcome> {
    const began = performance.now();
    const isFresh = this.#socket === undefined;
    const outcome = await this.#exchange(bytes, sending, began);
    const mayReuse = outcome.kind === 'answered' && !sending.closes && outcome.headers.get('connection') !== 'close';
    if (!mayReuse || outcome.more !== '') this.#drop();
    // The service may close an idle connection just when we write. It then has not read the
    // request, so send it again.
    if (outcome.kind === 'closed' && !isFresh && !sending.isTorn) return this.exchange(bytes, sending);
    return outcome;
  }

  #exchange(bytes: Buffer, { method, isTorn }: Sending, began: number): Promise<Outcome> {
    const socket = (this.#socket ??= this.#open());
    return new Promise((resolve) => {
      const reader = new AnswerReader(method);
      const passed = (): number => performance.now() - began;
      const finish = (outcome: Outcome): void => {
        clearTimeout(timer);
        socket.off('data', onData).off('end', onEnd).off('close', onClose);
        socket.off('error', onError);
        resolve(outcome);
      };
      const finishIfWhole = (atEnd: boolean): boolean => {
        const answer = reader.answer(atEnd);
        if (answer === undefined) return false;
        finish({ kind: 'answered', ...answer, milliseconds: passed() });
        return true;
      };
      const giveUp = (): void => finish({ kind: 'silent', milliseconds: passed() });
      let timer = setTimeout(giveUp, answerLimit);
      let reason = 'it was closed';
      let hasBegun = false;
      const onData = (chunk: Buffer): void => {
        if (!hasBegun) {
          hasBegun = true;
          clearTimeout(timer);
          timer = setTimeout(giveUp, streamLimit);
        }
        reader.add(chunk);
        finishIfWhole(false);
      };
      const onEnd = (): void => void finishIfWhole(true);
      const onError = (error: Error & { code?: string }): void => {
        reason = error.code ?? error.message;
      };
      const onClose = (): void => {
        if (reason === 'ECONNREFUSED') finish({ kind: 'unsent', milliseconds: passed() });
        else if (!finishIfWhole(true)) finish({ kind: 'closed', reason, milliseconds: passed() });
      };
      socket.on('data', onData).on('end', onEnd).on('error', onError).on('close', onClose);
      if (isTorn) socket.end(bytes);
      else socket.write(bytes);
    });
  }

  #open(): net.Socket {
    const socket = net.connect({ port: this.#port, host: '127.0.0.1', noDelay: true, ...nextSource() });
    // Errors can also occur between two requests. Without a listener they would end the program.
    socket.on('error', () => undefined);
    // The service closes connections that were idle for a while. The next request then opens
    // another one.
    socket.once('close', () => {
      if (this.#socket === socket) this.#socket = undefined;
    });
    return socket;
  }

  #drop(): void {
    this.#socket?.destroy();
    this.#socket = undefined;
  }

  [Symbol.dispose](): void {
    this.#drop();
  }
}

interface WholeAnswer {
  readonly status: number;
  readonly headers: ReadonlyMap<string, string>;
  readonly body: Buffer;
  readonly more: string;
}

interface AnswerHead {
  readonly status: number;
  readonly headers: ReadonlyMap<string, string>;
  /** Offset of the body. */
  readonly end: number;
}

/** Reads one HTTP/1.1 answer from the bytes of a connection. */
class AnswerReader {
  readonly #method: string;
  #bytes: Buffer = Buffer.alloc(0);
  #chunks: Buffer[] = [];
  #head: AnswerHead | undefined;
  #size = 0;

  constructor(method: string) {
    this.#method = method;
  }

  add(chunk: Buffer): void {
    this.#chunks.push(chunk);
    this.#size += chunk.length;
  }

  /**
   * Returns the answer when it is complete, otherwise undefined. `atEnd` means that no more bytes
   * will come.
   */
  answer(atEnd: boolean): WholeAnswer | undefined {
    const length = Number(this.#head?.headers.get('content-length') ?? 0);
    // Large answers come in hundreds of pieces. Join them only once.
    if (this.#head !== undefined && !atEnd && this.#size < this.#head.end + length) return undefined;
    this.#bytes =
      this.#chunks.length === 1 && this.#bytes.length === 0
        ? this.#chunks[0]!
        : Buffer.concat([this.#bytes, ...this.#chunks]);
    this.#chunks = [];
    this.#head ??= this.#readHead();
    if (this.#head === undefined) return undefined;
    const { status, headers, end } = this.#head;
    const whole = (body: Buffer, rest: number): WholeAnswer => ({
      status,
      headers,
      body,
      more: this.#bytes.toString('latin1', rest, rest + 300),
    });
    if (this.#method === 'HEAD' && headers.get('connection') === 'close') {
      // The service cannot read the method of a request that is not valid HTTP, so its answer may
      // have a body.
      return atEnd ? whole(Buffer.alloc(0), this.#size) : undefined;
    }
    if (this.#method === 'HEAD' || status === 204 || status === 304) return whole(Buffer.alloc(0), end);
    if (headers.get('transfer-encoding') === 'chunked') {
      const read = readChunks(this.#bytes, end);
      return read === undefined ? undefined : whole(read.body, read.end);
    }
    const told = headers.get('content-length');
    if (told === undefined) return atEnd ? whole(this.#bytes.subarray(end), this.#size) : undefined;
    const last = end + Number(told);
    return this.#size >= last ? whole(this.#bytes.subarray(end, last), last) : undefined;
  }

  #readHead(): AnswerHead | undefined {
    const at = this.#bytes.indexOf('\r\n\r\n');
    if (at < 0) return undefined;
    const [first = '', ...lines] = this.#bytes.subarray(0, at).toString('latin1').split('\r\n');
    const status = Number(/^HTTP\/1\.1 (\d{3})/.exec(first)?.[1]);
    if (status === 100) {
      this.#bytes = this.#bytes.subarray(at + 4);
      this.#size = this.#bytes.length;
      return this.#readHead();
    }
    const headers = new Map(
      lines.map((line) => {
        const colon = line.indexOf(':');
        return [line.slice(0, colon).toLowerCase(), line.slice(colon + 1).trim()];
      }),
    );
    return { status, headers, end: at + 4 };
  }
}

function readChunks(bytes: Buffer, from: number): { readonly body: Buffer; readonly end: number } | undefined {
  const parts: Buffer[] = [];
  for (let at = from; ;) {
    const lineEnd = bytes.indexOf('\r\n', at);
    if (lineEnd < 0) return undefined;
    const size = Number.parseInt(bytes.subarray(at, lineEnd).toString('latin1'), 16);
    // Not a chunk: the bytes from here on do not belong to the answer.
    if (Number.isNaN(size)) return { body: Buffer.concat(parts), end: at };
    const start = lineEnd + 2;
    if (bytes.length < start + size + 2) return undefined;
    if (size === 0) return { body: Buffer.concat(parts), end: start + 2 };
    parts.push(bytes.subarray(start, start + size));
    at = start + size + 2;
  }
}
