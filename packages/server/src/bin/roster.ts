#!/usr/bin/env node
// The command line: `roster serve`, `roster migrate`, …

const major = Number(process.versions.node.split('.')[0]);
if (major < 24) {
  process.stderr.write(
    `Roster needs Node 24 or later; this is Node ${process.versions.node}. ` +
      'Start it with `npm start`, which brings the right Node, or install Node 24.\n',
  );
  process.exit(2);
}
// Only now: an old Node cannot read what is imported here.
const { runCommandLine } = await import('../cli/program.ts');
// Exits by itself: a connection that lingers must not keep the process.
process.exit(await runCommandLine(process.argv.slice(2)));
