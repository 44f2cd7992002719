import { fault, note, ok, reasonOf, type Finding } from './finding.ts';

const patience = 5000;

/** Asks the service whether it is ready. */
export async function checkService(url: string): Promise<readonly Finding[]> {
  try {
    const answer = await fetch(new URL('/readyz', url), { signal: AbortSignal.timeout(patience) });
    if (answer.ok) return [ok(`The service at ${url} is ready.`)];
    const { reason } = (await answer.json().catch(() => ({}))) as { reason?: unknown };
    const why = typeof reason === 'string' ? reason : `it answers with ${answer.status}`;
    return [
      fault(
        `The service at ${url} is not ready: ${why}.`,
        'The findings about the database say more, and so does the log of the service.',
      ),
    ];
  } catch (error) {
    const why = error instanceof Error && error.cause !== undefined ? reasonOf(error.cause) : reasonOf(error);
    return [
      note(
        `No service answers at ${url} (${why}).`,
        'Start it with `npm start`, or say where it is: --url or ROSTER_URL.',
      ),
    ];
  }
}
