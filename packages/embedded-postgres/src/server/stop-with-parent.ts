import { spawn } from 'node:child_process';

import type { Application } from '../application/application.ts';
import { spawnOptions, type ServerUser } from '../machine/server-user.ts';

/**
 * The script of the guard. It waits for a line, or for the end of the pipe. The kernel closes the
 * pipe when this process ends for any reason.
 *
 * The guard requests a fast shutdown, and after 10 s an immediate one. PostgreSQL 18 never
 * completes a fast shutdown that arrives while it recovers from the crash of one of its processes.
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
 * Starts a guard process that stops a PostgreSQL server if this process is killed. Otherwise the
 * server would keep running without supervision.
 *
 * The guard is a shell that waits at the other end of a pipe. It needs less than a megabyte of
 * memory. It runs as the user of the server, so that it cannot signal other processes. Without a
 * shell, the next start stops the server instead. Returns a function that ends the guard; call it
 * when the server has ended.
 */
export function stopWithParent(pid: number, user: ServerUser | undefined, { name }: Application): () => void {
  const guard = spawn('/bin/sh', ['-c', script, `${name}-guard`, String(pid)], {
    ...spawnOptions(user),
    stdio: ['pipe', 'ignore', 'ignore'],
  });
  guard.on('error', () => undefined);
  // Writing fails if the guard was killed.
  guard.stdin.on('error', () => undefined);
  guard.unref();
  return () => guard.stdin.end('the server has ended\n');
}
