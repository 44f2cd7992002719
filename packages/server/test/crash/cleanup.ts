import { rmSync } from 'node:fs';
import { mkdtemp, chmod } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';

const cleanups = new Set<() => void>();

let isInstalled = false;

/**
 * Registers work to do at the end of this program, however it ends. Returns a function that removes
 * the registration.
 *
 * The work must be synchronous. A program that is itself killed with SIGKILL cannot do it, and
 * leaves its processes behind.
 */
export function onEnd(cleanup: () => void): () => void {
  install();
  cleanups.add(cleanup);
  return () => cleanups.delete(cleanup);
}

function install(): void {
  if (isInstalled) return;
  isInstalled = true;
  process.on('exit', () => {
    for (const cleanup of [...cleanups].reverse()) cleanup();
  });
  // By default, these signals would end the program without the 'exit' event.
  for (const [signal, code] of [
    ['SIGINT', 130],
    ['SIGTERM', 143],
    ['SIGHUP', 129],
  ] as const) {
    process.once(signal, () => process.exit(code));
  }
}

/**
 * A temporary directory that the user of PostgreSQL can enter. It is removed when it is disposed,
 * or when the program ends.
 */
export interface TemporaryDirectory extends Disposable {
  readonly path: string;
}

/** Creates a temporary directory. */
export async function temporaryDirectory(): Promise<TemporaryDirectory> {
  const directory = await mkdtemp(path.join(os.tmpdir(), 'roster-crash-'));
  await chmod(directory, 0o711);
  const remove = (): void => rmSync(directory, { recursive: true, force: true, maxRetries: 10, retryDelay: 50 });
  const forget = onEnd(remove);
  return {
    path: directory,
    [Symbol.dispose]() {
      remove();
      forget();
    },
  };
}
