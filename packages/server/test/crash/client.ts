import http from 'node:http';
import { slowness } from './wait.ts';

/** How a request ended, as far as its sender can know. */
export type Reply =
  /** A complete answer arrived. */
  | { readonly kind: 'answered'; readonly status: number; readonly body: Record<string, unknown> }
  /** No connection was made, so the service has not seen the request. */
  | { readonly kind: 'unsent'; readonly reason: string }
  /** The connection was lost before the answer. The request may have been accepted or not. */
  | { readonly kind: 'lost'; readonly reason: string };

/** Milliseconds without an answer after which a request counts as lost. Every restart is faster. */
const answerLimit = 30_000 * slowness;

/**
 * A connection to the service that is kept alive, and opened again when it is lost.
 *
 * It uses only the HTTP client of Node, which never repeats a request by itself.
 */
export class Client implements Disposable {
  readonly #agent = new http.Agent({ keepAlive: true, maxSockets: 1 });

  /** Sends a request with a JSON body, a text (a file), or no body. Never rejects. */
  send(method: string, url: string, headers: Readonly<Record<string, string>>, body?: object | string): Promise<Reply> {
    const payload = body === undefined || typeof body === 'string' ? body : JSON.stringify(body);
    return new Promise((resolve) => {
      const request = http.request(
        url,
        {
          method,
          agent: this.#agent,
          timeout: answerLimit,
          headers: {
            ...headers,
            ...(payload === undefined
              ? {}
              : {
                  'content-type': typeof body === 'string' ? 'text/csv' : 'application/json',
                  'content-length': Buffer.byteLength(payload),
                }),
          },
        },
        (response) => {
          const chunks: Buffer[] = [];
          response.on('data', (chunk: Buffer) => chunks.push(chunk));
          response.on('error', (error) => resolve({ kind: 'lost', reason: error.message }));
          response.on('end', () => {
            const text = Buffer.concat(chunks).toString();
            // A response whose connection was cut also ends, but is not complete.
            if (response.complete) resolve({ kind: 'answered', status: response.statusCode ?? 0, body: parse(text) });
            else resolve({ kind: 'lost', reason: 'the answer was cut' });
          });
        },
      );
      request.on('timeout', () => request.destroy(new Error(`no answer for ${answerLimit} ms`)));
      request.on('error', (error: Error & { code?: string }) => {
        const reason = error.code ?? error.message;
        resolve({ kind: error.code === 'ECONNREFUSED' ? 'unsent' : 'lost', reason });
      });
      request.end(payload);
    });
  }

  [Symbol.dispose](): void {
    this.#agent.destroy();
  }
}

function parse(text: string): Record<string, unknown> {
  try {
    return (text === '' ? {} : JSON.parse(text)) as Record<string, unknown>;
  } catch {
    return { unreadable: text };
  }
}
