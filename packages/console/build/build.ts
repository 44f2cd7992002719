// `npm run build -w packages/console`: builds the console into packages/console/dist if its sources
// have changed. The bootstrap runs it. The build is made in a folder of its own and then renamed, so
// there is never a half build.
import { mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { compressFiles } from './compress.ts';
import { sourcesHash } from './sources-hash.ts';

const directory = path.dirname(import.meta.dirname);
const target = path.join(directory, 'dist');
/** In the build: the hash of the sources that it was made from. */
const stamp = '.sources';

const hash = await sourcesHash(directory);
if ((await readFile(path.join(target, stamp), 'utf8').catch(() => '')) !== hash) await build();

async function build(): Promise<void> {
  await removeLeftovers();
  const own = path.join(directory, `.build-${process.pid}`);
  const started = performance.now();
  try {
    // Vite is only loaded if it is needed, so that a start without changes is fast.
    const vite = await import('vite');
    const options = { root: directory, logLevel: 'warn', build: { outDir: own, emptyOutDir: true } } as const;
    await vite.build(options);
    await compressFiles(own);
    await writeFile(path.join(own, stamp), hash);
    await mkdir(target, { recursive: true });
    // A folder that is not empty cannot be replaced. The service waits a moment for the new one.
    await rename(target, `${own}-old`);
    await rename(own, target);
    const seconds = ((performance.now() - started) / 1000).toFixed(1);
    process.stderr.write(`The console was built in ${seconds} s.\n`);
  } catch (error) {
    process.stderr.write(`The console could not be built: ${error instanceof Error ? error.message : String(error)}\n`);
    process.exitCode = 1;
  } finally {
    for (const folder of [own, `${own}-old`]) await rm(folder, { recursive: true, force: true });
  }
}

/** Removes the folders of builds whose process does not run anymore. */
async function removeLeftovers(): Promise<void> {
  for (const name of await readdir(directory)) {
    const pid = /^\.build-(\d+)/.exec(name)?.[1];
    if (pid !== undefined && !isRunning(Number(pid))) {
      await rm(path.join(directory, name), { recursive: true, force: true });
    }
  }
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}
