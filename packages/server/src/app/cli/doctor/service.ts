import { fault, note, ok, reasonOf, type Finding } from './findings/finding.ts';

const timeout = 5000;

/** Checks that the service is ready. */
export async function checkService(url: string): Promise<readonly Finding[]> {
  try {
    const answer = await fetch(new URL('/readyz', url), { signal: AbortSignal.timeout(timeout) });
    if (answer.ok) return [ok(`The service at ${url} is ready.`)];
    const { reason } = (await answer.json().catch(() => ({}))) as { reason?: unknown };
    const why = typeof reason === 'string' ? reason : `it responds with status ${answer.status}`;
    return [
      fault(
        `The service at ${url} is not ready: ${why}.`,
        'See the findings about the database, and the log of the service.',
      ),
    ];
  } catch (error) {
    const why = error instanceof Error && error.cause !== undefined ? reasonOf(error.cause) : reasonOf(error);
    return [
      note(
        `No service responds at ${url} (${why}).`,
        'Start it with `npm start`. If it runs elsewhere, give its address with --url or ROSTER_URL.',
      ),
    ];
  }
}
