import { rmSync } from 'node:fs';
import { mkdtemp, chmod } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';

const cleanups = new Set<() => void>();

/**
 * Registers what must happen however this program ends; answers how to forget it again.
 *
 * Only synchronous work can be done then. A program that is itself killed with SIGKILL leaves its processes behind; nothing can help that.
 */
export function onEnd(cleanup: () => void): () => void {
  if (cleanups.size === 0) install();
  cleanups.add(cleanup);
  return () => cleanups.delete(cleanup);
}

let installed = false;

function install(): void {
  if (installed) return;
  installed = true;
  process.on('exit', () => {
    for (const cleanup of [...cleanups].reverse()) cleanup();
  });
  // The default action of these would end the program without 'exit'.
  for (const [signal, code] of [
    ['SIGINT', 130],
    ['SIGTERM', 143],
    ['SIGHUP', 129],
  ] as const) {
    process.once(signal, () => process.exit(code));
  }
}

/** A temporary directory that the user of PostgreSQL can pass through; removed when it is disposed, or when the program ends. */
export interface TemporaryDirectory extends Disposable {
  readonly path: string;
}

/** Makes a temporary directory. */
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
