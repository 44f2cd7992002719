import path from 'node:path';

/** The programs of the processes and threads of the service, in the sources. */
const sources = {
  api: 'processes/api.mts',
  worker: 'processes/worker.mts',
  prepare: 'processes/prepare.mts',
  'body-thread': 'api/body-thread.ts',
};

const isBuilt = import.meta.filename.endsWith('.mjs');

/**
 * Returns the path of a program of the service. In a build (`packages/server/build`), it is next to
 * the file that contains this module.
 */
export function programFile(name: keyof typeof sources): string {
  return path.join(import.meta.dirname, isBuilt ? `${name}.mjs` : sources[name]);
}
