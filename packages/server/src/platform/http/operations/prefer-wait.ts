import { longestWait } from '@roster/contract';
import type { IncomingHttpHeaders } from 'node:http';
import type { FastifyInstance } from 'fastify';

declare module 'fastify' {
  interface FastifyRequest {
    /** Milliseconds for which the service waited because the caller wanted it to. */
    waited: number;
  }
}

/** Prepares requests for {@link preferredWait}. Call it before the routes. */
export function useWaits(app: FastifyInstance): void {
  app.decorateRequest('waited', 0);
}

/**
 * Reads the preference `wait` of the header `Prefer` (RFC 7240): seconds, at most
 * {@link longestWait}. Returns undefined if the caller does not want to wait.
 *
 * A value that cannot be read is ignored, as the RFC demands. If `wait` occurs several times, the
 * first one counts.
 */
export function preferredWait({ prefer }: IncomingHttpHeaders): number | undefined {
  // Node joins repeated headers with commas.
  const text = [prefer ?? []].flat().join(',');
  // Text in quotes can contain commas. No other preference is read, so its text does not matter.
  for (const preference of text.replaceAll(/"[^"]*"/g, quotedDigits).split(',')) {
    const [name, ...values] = preference.split(';', 1)[0]!.split('=');
    if (name!.trim().toLowerCase() === 'wait') return secondsOf(values.join('=').trim());
  }
  return undefined;
}

/** RFC 7240 allows quotes around each value. */
function quotedDigits(quoted: string): string {
  const text = quoted.slice(1, -1);
  return /^\d+$/.test(text) ? text : '""';
}

/** Zero is no wait. */
function secondsOf(text: string): number | undefined {
  const seconds = /^\d+$/.test(text) ? Math.min(Number(text), longestWait) : 0;
  return seconds > 0 ? seconds : undefined;
}
