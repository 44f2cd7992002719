import { once } from 'node:events';
import http from 'node:http';
import type { AddressInfo } from 'node:net';

/** Receives the callbacks of a run, and keeps their bodies by path. */
export class CallbackReceiver implements AsyncDisposable {
  readonly #server: http.Server;
  readonly #bodies = new Map<string, Record<string, unknown>[]>();

  private constructor() {
    this.#server = http.createServer((request, response) => void this.#take(request, response));
  }

  static async start(): Promise<CallbackReceiver> {
    const receiver = new CallbackReceiver();
    receiver.#server.listen(0, '127.0.0.1');
    await once(receiver.#server, 'listening');
    return receiver;
  }

  /** `host:port`, for ROSTER_CALLBACK_ALLOW. */
  get place(): string {
    return `127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  /** The URL of a callback with this path. */
  url(path: string): string {
    return `http://${this.place}${path}`;
  }

  /** The bodies that arrived at a path. A callback may arrive more than once. */
  received(path: string): readonly Record<string, unknown>[] {
    return this.#bodies.get(path) ?? [];
  }

  async #take(request: http.IncomingMessage, response: http.ServerResponse): Promise<void> {
    const chunks: Buffer[] = [];
    try {
      for await (const chunk of request) chunks.push(chunk as Buffer);
    } catch {
      // The sender was killed. It will send the callback again.
      return;
    }
    const path = request.url ?? '';
    const body = JSON.parse(Buffer.concat(chunks).toString()) as Record<string, unknown>;
    this.#bodies.set(path, [...this.received(path), body]);
    response.end();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#server.closeAllConnections();
    this.#server.close();
    await once(this.#server, 'close');
  }
}
