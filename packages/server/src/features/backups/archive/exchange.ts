import { chown, readdir, rm, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { createDirectory } from '@roster/embedded-postgres';
import type { Logger } from 'pino';
import { describeError } from '#platform/database/connection/describe-error.ts';
import { pause } from '#platform/loops/pause.ts';

/** The directory of the cluster in which commands of the server and this process exchange files. */
export const exchangeDirectory = 'roster_exchange';

/** Names of WAL segments, of backup history files, and of timeline history files. */
const walName = /^([0-9A-F]{24}(\.[0-9A-F]{8}\.backup)?|[0-9A-F]{8}\.history)$/;

/** Milliseconds between two checks for requests. */
const interval = 100;

/** Seconds that a command of the server waits. The server repeats a command that fails. */
const timeoutSeconds = 120;

/**
 * Makes an `archive_command` or `restore_command` for the server. The command asks this process to
 * archive or restore a WAL file, and exits with 0 on success.
 *
 * The server can run as another user, without the programs, settings and credentials of this
 * process. Therefore the command is a shell script that creates the file `<name>.request`, and
 * waits for `<name>.done` or `<name>.failed` from this process. On success, it runs `after`.
 */
export function exchangeCommand(after = ':'): string {
  const own = `${exchangeDirectory}/%f`;
  return [
    `rm -f ${own}.done ${own}.failed`,
    `: > ${own}.request || exit 1`,
    'n=0',
    `while [ $n -lt ${timeoutSeconds * 10} ]`,
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

/**
 * Archives or restores a WAL file. Returns false when the file does not exist. An error is logged,
 * and fails the request.
 */
export type ExchangeHandler = (walFile: string) => Promise<boolean>;

/** Handles the requests of a server until it is disposed. */
export async function startExchange(cluster: string, handle: ExchangeHandler, log: Logger): Promise<AsyncDisposable> {
  const directory = path.join(cluster, exchangeDirectory);
  // Requests from an earlier run of this process stay in the directory and are handled too.
  await createDirectory(directory, 0o700);
  const { uid, gid } = await stat(cluster);
  await chown(directory, uid, gid);
  const stopping = new AbortController();
  const { signal } = stopping;
  const running = (async () => {
    while (!signal.aborted) {
      for (const name of await readdir(directory).catch(() => [])) await respond(name);
      await pause(interval, { signal, ref: false });
    }
  })();

  async function respond(name: string): Promise<void> {
    const file = name.endsWith('.request') ? name.slice(0, -'.request'.length) : '';
    if (!walName.test(file)) return;
    let isDone = false;
    try {
      isDone = await handle(file);
    } catch (error) {
      log.error({ err: describeError(error), file }, 'could not archive or restore a WAL file; the server will retry');
    }
    try {
      await rm(path.join(directory, name), { force: true });
      await writeFile(path.join(directory, `${file}.${isDone ? 'done' : 'failed'}`), '');
    } catch (error) {
      log.error({ err: describeError(error), file }, 'could not respond to the server about a WAL file');
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
