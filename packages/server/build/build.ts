// `npm run build -w packages/server`: joins the modules of the service to a few files in
// packages/server/dist, unless the build of the present sources exists. `npm start` runs it.
//
// The service loads 2,400 modules. From the build, a process starts in a third of the time, and
// needs 30 to 40 MiB less memory (docs/decisions/0031-memory.md). Without a build, it runs from the
// sources.
import { existsSync } from 'node:fs';
import { chmod, mkdir, mkdtemp, readdir, rename, rm, stat, utimes } from 'node:fs/promises';
import path from 'node:path';
import { buildsDirectory, currentBuild } from '../src/app/bin/built-service.mts';

const app = path.join(import.meta.dirname, '../src/app');
const programs = {
  service: 'cli/run-service.ts',
  api: 'processes/api.mts',
  worker: 'processes/worker.mts',
  prepare: 'processes/prepare.mts',
  'body-thread': 'api/body-thread.ts',
};

/** Packages that stay where they are: large ones that are loaded when they are first used. */
const external = /^(@aws-sdk|@simplewebauthn|import-fresh|nodemailer|openid-client|pino-pretty|undici)(\/|$)/;

/** Builds that are kept, because services may still run from them. */
const keptBuilds = 5;

/** Milliseconds after which an unfinished build was certainly killed. */
const longestBuild = 3_600_000;

const target = currentBuild();
const now = new Date();
// A build that is used again is as good as new: old ones are removed.
if (existsSync(target)) await utimes(target, now, now).catch(() => undefined);
else await build();

async function build(): Promise<void> {
  const started = performance.now();
  let own: string | undefined;
  try {
    await mkdir(buildsDirectory, { recursive: true });
    own = await mkdtemp(path.join(buildsDirectory, '.build-'));
    await chmod(own, 0o755);
    await write(own);
    // Another process may have made the same build in the meantime.
    await rename(own, target).catch((error: unknown) => {
      if (!existsSync(target)) throw error;
    });
    const seconds = ((performance.now() - started) / 1000).toFixed(1);
    process.stderr.write(`The service was built in ${seconds} s.\n`);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    process.stderr.write(`The service could not be built, and runs from its sources: ${reason}\n`);
    process.exitCode = 1;
  } finally {
    if (own !== undefined) await rm(own, { recursive: true, force: true });
  }
  // The next start removes what could not be removed now.
  await removeOldBuilds().catch(() => undefined);
}

async function write(directory: string): Promise<void> {
  // Loaded only if it is needed, so that a start without changes is fast.
  const { rolldown } = await import('rolldown');
  const bundle = await rolldown({
    input: Object.fromEntries(Object.entries(programs).map(([name, file]) => [name, path.join(app, file)])),
    platform: 'node',
    external,
    plugins: [{ name: 'roster', transform: keepDirectory, renderChunk: useAscii }],
    onwarn(warning) {
      throw new Error(warning.message);
    },
  });
  await bundle.write({
    dir: directory,
    format: 'esm',
    // Lines and names stay as in the sources, so that the stack of an error can be read.
    minify: false,
    comments: false,
    banner: 'const __buildDirectory = import.meta.dirname;',
    keepNames: true,
    entryFileNames: '[name].mjs',
    chunkFileNames: '[name]-[hash].mjs',
  });
  await bundle.close();

  /** In a build, a module is in another folder. It must find the files next to its source. */
  function keepDirectory(code: string, id: string): { code: string } | undefined {
    if (id.endsWith('/app/program-file.ts')) return undefined;
    const name = id.includes('node_modules') ? /\b__dirname\b/g : /\bimport\.meta\.dirname\b/g;
    const from = path.relative(target, path.dirname(id)).replaceAll(path.sep, '/');
    const kept = code.replaceAll(name, `(__buildDirectory + '/${from}')`);
    if (/\b__filename\b|\bimport\.meta\.(dir|file)name\b/.test(kept)) throw new Error(`${id} depends on its place`);
    return kept === code ? undefined : { code: kept };
  }

  /** V8 needs two bytes for each character of a file, unless all of them are in ASCII. */
  function useAscii(code: string): { code: string } {
    const escape = (unit: string): string => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`;
    return { code: code.replaceAll(/[^\0-\x7f]/g, escape) };
  }
}

/** Removes all builds but the newest, and what killed builds left. Other processes may do the same. */
async function removeOldBuilds(): Promise<void> {
  const found = await Promise.all(
    (await readdir(buildsDirectory)).map(async (name) => {
      const directory = path.join(buildsDirectory, name);
      const made = await stat(directory).then(
        ({ mtimeMs }) => mtimeMs,
        () => undefined,
      );
      return made === undefined ? [] : [{ directory, made, isComplete: !name.startsWith('.') }];
    }),
  );
  const [complete, unfinished] = [true, false].map((is) => found.flat().filter(({ isComplete }) => isComplete === is));
  const old = [
    ...complete!.toSorted((a, b) => b.made - a.made).slice(keptBuilds),
    ...unfinished!.filter(({ made }) => made < now.getTime() - longestBuild),
  ];
  await Promise.all(old.map(({ directory }) => rm(directory, { recursive: true, force: true })));
}
