#!/usr/bin/env node
// The command line: `roster serve`, `roster migrate`, …
import { enableCompileCache } from 'node:module';
import path from 'node:path';

const major = Number(process.versions.node.split('.')[0]);
if (major < 24) {
  process.stderr.write(
    `Roster needs Node 24 or later; this is Node ${process.versions.node}. ` +
      'Start it with `npm start`, which brings the right Node, or install Node 24.\n',
  );
  process.exit(2);
}
// Compiled code is kept for the next start, here and in the children: half the time to load it, and 20 MB less memory for each
// process (no compiler for the types). Beside the code, whose owner may trust it; a directory that cannot be written is no harm.
process.env['NODE_COMPILE_CACHE'] ??= path.join(import.meta.dirname, '../../../../node_modules/.cache/roster');
enableCompileCache();
// Only now: an old Node cannot read what is imported here.
const { runCommandLine } = await import('../cli/program.ts');
// Exits by itself: a connection that lingers must not keep the process.
process.exit(await runCommandLine(process.argv.slice(2)));
