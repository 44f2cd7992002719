// Checks the laws of ARCHITECTURE.md: tiers, the order of the features, no cycles between folders,
// and at most 15 files in a folder.
import path from 'node:path';
import { features } from '../packages/server/src/app/features.ts';
import { readSources } from './structure/imports.ts';
import { brokenLaws } from './structure/laws.ts';

const root = path.dirname(import.meta.dirname);
const sources = await readSources(path.join(root, 'packages'));
const faults = brokenLaws(
  sources,
  features.map(({ name }) => name),
);
for (const fault of faults) console.log(fault);
process.exitCode = faults.length === 0 ? 0 : 1;
