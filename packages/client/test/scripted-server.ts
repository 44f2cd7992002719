import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A request as the server got it. */
export interface Received {
  readonly method: string;
  readonly url: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

/** How the server treats a request: it answers, cuts the connection, or stays silent. */
export type Step =
  | {
      readonly status: number;
      readonly headers?: Record<string, string>;
      readonly body?: unknown;
      /** The number of characters of the body after which the connection is cut. */
      readonly cutAfter?: number;
      /** True: the connection is not cut after them, but stays silent. */
      readonly isHeld?: boolean;
    }
  | 'cut'
  | 'silence';

/** A server that takes one step of its script for each request, and repeats the last one. */
export interface ScriptedServer extends AsyncDisposable {
  readonly url: string;
  readonly received: readonly Received[];
}

/** Starts a server on the loopback interface. */
export async function startScriptedServer(
  ...steps: readonly (Step | ((received: Received) => Step))[]
): Promise<ScriptedServer> {
  const received: Received[] = [];
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const { method = '', url = '', headers } = request;
      const one = { method, url, headers, body: Buffer.concat(chunks).toString('utf8') };
      const found = steps[Math.min(received.length, steps.length - 1)]!;
      received.push(one);
      const step = typeof found === 'function' ? found(one) : found;
      if (step === 'silence') return;
      if (step === 'cut') {
        request.socket.destroy();
        return;
      }
      response.writeHead(step.status, { 'content-type': 'application/json', ...step.headers });
      const text = typeof step.body === 'string' ? step.body : JSON.stringify(step.body);
      if (step.cutAfter === undefined) response.end(text);
      // Cuts the connection when the beginning is sent.
      else response.write(text.slice(0, step.cutAfter), () => step.isHeld !== true && request.socket.destroy());
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    received,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}
