import { spawn } from 'node:child_process';

import type { Application } from '../application/application.ts';
import { spawnOptions, type ServerUser } from '../machine/server-user.ts';

/**
 * What the guard runs: it waits for a line, or for the end of the pipe. The kernel closes the pipe
 * when this process is gone, however it ended.
 *
 * A fast shutdown first. After 10 s an immediate one: PostgreSQL 18 never ends a fast one that
 * arrives while it recovers from the death of one of its processes.
 */
const script = `
read -r line && exit 0
kill -INT "$1" || exit 0
n=0
while kill -0 "$1" 2>/dev/null; do
  n=$((n + 1))
  [ "$n" -eq 100 ] && kill -QUIT "$1"
  [ "$n" -ge 200 ] && exit 1
  sleep 0.1 || sleep 1
done`;

/**
 * Stops a PostgreSQL server when this process is killed, so that nothing runs unwatched and the
 * data directory can be copied.
 *
 * A shell waits at the other end of a pipe; it costs less than a megabyte. It runs as the user of
 * the server, so it can signal nothing else. Where there is no shell, the next start stops the
 * server instead. Returns what ends the guard, once the server has ended by itself.
 */
export function stopWithParent(pid: number, user: ServerUser | undefined, { name }: Application): () => void {
  const guard = spawn('/bin/sh', ['-c', script, `${name}-guard`, String(pid)], {
    ...spawnOptions(user),
    stdio: ['pipe', 'ignore', 'ignore'],
  });
  guard.on('error', () => undefined);
  // One that was killed cannot read.
  guard.stdin.on('error', () => undefined);
  guard.unref();
  return () => guard.stdin.end('the server has ended\n');
}
