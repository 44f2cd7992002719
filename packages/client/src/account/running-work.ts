import type { AccountConnection, CallOptions } from '../transport/connection.ts';
import { delayOf, isTemporary, wait } from '../transport/retry.ts';
import { RosterError } from '../transport/roster-error.ts';
import type { RunningWork } from '../wire/shapes.ts';

/** Milliseconds without a response or a byte after which the connection counts as broken. */
const silenceLimit = 45_000;

/** Creates the operations on the running work of an account. */
export function createRunningWork(account: AccountConnection) {
  return {
    /** Returns the work that waits, runs, or has just ended. */
    list: async (options?: CallOptions): Promise<readonly RunningWork[]> =>
      (await account.call('listRunning', options)).data,
    /**
     * Returns the running work now and after each change: `for await (const work of follow())`.
     *
     * Connects again after a broken connection. Ends only when you leave the loop or abort the
     * signal. Throws a {@link RosterError} when the caller may not see the account.
     */
    follow: ({ signal }: Pick<CallOptions, 'signal'> = {}): AsyncGenerator<readonly RunningWork[], never> =>
      follow(account, signal),
  };
}

async function* follow(
  connection: AccountConnection,
  own: AbortSignal | undefined,
): AsyncGenerator<readonly RunningWork[], never> {
  const signal = connection.signalOf(own);
  let failures = 0;
  for (;;) {
    const ending = new AbortController();
    const both = signal === undefined ? ending.signal : AbortSignal.any([signal, ending.signal]);
    try {
      const { body } = await inTime(ending, connection.open('streamRunning', { signal: both }));
      for await (const { event, data } of eventsOf(body!, ending)) {
        if (event !== 'running') continue;
        failures = 0;
        yield (JSON.parse(data) as { readonly data: readonly RunningWork[] }).data;
      }
      // The service has ended the stream, for example at a restart. The next request tells why.
      failures += 1;
      await wait(1000, signal);
    } catch (failure) {
      signal?.throwIfAborted();
      const error = failure instanceof RosterError ? failure : broken(failure);
      if (!isTemporary(error)) throw error;
      failures += 1;
      // Never gives up: the pauses stay as long as the last one.
      const delay = delayOf(error, Math.min(failures, connection.retries.limit), connection.retries) ?? 5000;
      await wait(delay, signal);
    } finally {
      ending.abort();
    }
  }
}

const broken = (cause: unknown): RosterError =>
  new RosterError('network', 'streamRunning: the connection broke', { operation: 'streamRunning', cause });

/** One server-sent event. */
interface ServerEvent {
  readonly event: string;
  readonly data: string;
}

/** Waits for the service. Aborts `ending` if nothing arrives for too long. */
async function inTime<T>(ending: AbortController, arrival: Promise<T>): Promise<T> {
  const timer = setTimeout(() => ending.abort(new Error('nothing has arrived in time')), silenceLimit);
  return arrival.finally(() => clearTimeout(timer));
}

/** Reads server-sent events. Aborts `ending` if no byte arrives for too long. */
async function* eventsOf(body: ReadableStream<Uint8Array>, ending: AbortController): AsyncGenerator<ServerEvent, void> {
  const reader = body.getReader();
  const decoder = new TextDecoder();
  let text = '';
  for (;;) {
    const { done, value } = await inTime(ending, reader.read());
    if (done) return;
    text += decoder.decode(value, { stream: true });
    const blocks = text.split('\n\n');
    text = blocks.pop()!;
    for (const block of blocks) {
      const lines = block.split('\n');
      const fieldOf = (name: string): string[] =>
        lines.filter((line) => line.startsWith(`${name}: `)).map((line) => line.slice(name.length + 2));
      const data = fieldOf('data');
      if (data.length > 0) yield { event: fieldOf('event')[0] ?? 'message', data: data.join('\n') };
    }
  }
}
