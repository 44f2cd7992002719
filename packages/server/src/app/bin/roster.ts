#!/usr/bin/env node
// The entry point of the command line: `roster serve`, `roster migrate`, …
//
// This file is CommonJS and has no type annotations, so that an old Node can run it and print what
// to do. Node 20 loads a .ts file only as CommonJS (see package.json in this directory), and reads
// it as plain JavaScript.
const major = Number(process.versions.node.split('.')[0]);
if (major < 24) {
  process.stderr.write(
    `Roster needs Node 24 or later; this is Node ${process.versions.node}. ` +
      'Use `npm run --silent roster -- <command>` in the clone, which downloads Node 24, or install Node 24.\n',
  );
  process.exit(2);
}
void start();

async function start() {
  const { enableCompileCache } = process.getBuiltinModule('node:module');
  const path = process.getBuiltinModule('node:path');
  // Cache compiled code for the next start of this process and of its children. This halves the
  // load time and saves 20 MB of memory per process, because the type stripper is not loaded. The
  // cache is in node_modules, because only the owner of the code may write there. If the directory
  // is not writable, Node runs without a cache.
  process.env['NODE_COMPILE_CACHE'] ??= path.join(__dirname, '../../../../../node_modules/.cache/roster');
  enableCompileCache();
  const args = process.argv.slice(2);
  const isService = args.length === 1 && args[0] === 'serve';
  const run = isService ? runService() : (await import('../cli/program.ts')).runCommandLine(args);
  // Exit explicitly: an open keep-alive connection would keep the process running.
  process.exit(await run);
}

async function runService() {
  // The supervisor runs as long as the service. It loads no other command, so that it stays small.
  // All processes run from the build, if it is that of the present sources.
  const { builtService } = await import('./built-service.mts');
  const program = builtService();
  const { pathToFileURL } = process.getBuiltinModule('node:url');
  const service = await import(program === undefined ? '../cli/run-service.ts' : pathToFileURL(program).href);
  return service.runService();
}
