#!/usr/bin/env node
// The command line: `roster serve`, `roster migrate`, …
//
// This file is CommonJS without types, so that an old Node can run it and say what to do: Node 20 loads a .ts file only where it is CommonJS
// (see package.json beside it), and then as JavaScript.
const major = Number(process.versions.node.split('.')[0]);
if (major < 24) {
  process.stderr.write(
    `Roster needs Node 24 or later; this is Node ${process.versions.node}. ` +
      'Use `npm run --silent roster -- <command>` in the clone, which brings the right Node, or install Node 24.\n',
  );
  process.exit(2);
}
void start();

async function start() {
  const { enableCompileCache } = process.getBuiltinModule('node:module');
  const path = process.getBuiltinModule('node:path');
  // Compiled code is kept for the next start, here and in the children: half the time to load it, and 20 MB less memory for each
  // process (no compiler for the types). Beside the code, whose owner may trust it; a directory that cannot be written is no harm.
  process.env['NODE_COMPILE_CACHE'] ??= path.join(__dirname, '../../../../../node_modules/.cache/roster');
  enableCompileCache();
  const { runCommandLine } = await import('../cli/program.ts');
  // Exits by itself: a connection that lingers must not keep the process.
  process.exit(await runCommandLine(process.argv.slice(2)));
}
