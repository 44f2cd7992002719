import { chown, mkdir, readdir, rm, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { Logger } from 'pino';
import { describeError } from '#platform/database/connection/describe-error.ts';
import { pause } from '#platform/loops/pause.ts';

/** The directory in the cluster through which the server's commands ask this process for something. */
export const exchangeDirectory = 'roster_exchange';

/** Names of WAL segments, of the marks of base backups, and of timelines. */
const walName = /^([0-9A-F]{24}(\.[0-9A-F]{8}\.backup)?|[0-9A-F]{8}\.history)$/;

/** Milliseconds between two looks for requests. */
const interval = 100;

/** Seconds that a command of the server waits for its answer. A server whose commands fail tries them again. */
const patienceSeconds = 120;

/**
 * A command for the server (`archive_command`, `restore_command`) that asks this process about a file of the WAL, and ends with 0 when it was done.
 *
 * The server runs as another user at times, without our programs, settings and credentials. So a shell leaves an empty file, and waits until this
 * process has renamed it. `after` is what the shell does then.
 */
export function exchangeCommand(after = ':'): string {
  const own = `${exchangeDirectory}/%f`;
  return [
    `rm -f ${own}.done ${own}.failed`,
    `: > ${own}.request || exit 1`,
    'n=0',
    `while [ $n -lt ${patienceSeconds * 10} ]`,
    `do if [ -f ${own}.done ]`,
    `then rm -f ${own}.done`,
    after,
    'exit $?',
    'fi',
    `if [ -f ${own}.failed ]`,
    `then rm -f ${own}.failed`,
    'exit 1',
    'fi',
    'sleep 0.1',
    'n=$((n+1))',
    'done',
    `rm -f ${own}.request`,
    'exit 1',
  ].join('; ');
}

/** What answers the server's requests: true when it was done, false when there is no such file. What it throws is logged, and fails the request. */
export type ExchangeHandler = (walFile: string) => Promise<boolean>;

/** Answers the requests of a server until it is disposed. */
export async function startExchange(cluster: string, handle: ExchangeHandler, log: Logger): Promise<AsyncDisposable> {
  const directory = path.join(cluster, exchangeDirectory);
  // What an earlier run left is answered too: nothing is asked twice at a time.
  await mkdir(directory, { recursive: true, mode: 0o700 });
  const { uid, gid } = await stat(cluster);
  await chown(directory, uid, gid);
  const stopping = new AbortController();
  const { signal } = stopping;
  const running = (async () => {
    while (!signal.aborted) {
      for (const name of await readdir(directory).catch(() => [])) await answer(name);
      await pause(interval, { signal, ref: false });
    }
  })();

  async function answer(name: string): Promise<void> {
    const file = name.endsWith('.request') ? name.slice(0, -'.request'.length) : '';
    if (!walName.test(file)) return;
    let isDone = false;
    try {
      isDone = await handle(file);
    } catch (error) {
      log.error(
        { err: describeError(error), file },
        'a file of the WAL could not be archived or restored; the server tries it again',
      );
    }
    try {
      await rm(path.join(directory, name), { force: true });
      await writeFile(path.join(directory, `${file}.${isDone ? 'done' : 'failed'}`), '');
    } catch (error) {
      log.error({ err: describeError(error), file }, 'the server could not be answered about a file of the WAL');
    }
  }

  return {
    async [Symbol.asyncDispose]() {
      stopping.abort();
      await running;
      await rm(directory, { recursive: true, force: true });
    },
  };
}
