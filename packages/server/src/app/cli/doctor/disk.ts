import { access, constants, stat } from 'node:fs/promises';
import path from 'node:path';
import type { Config } from '#platform/config/config.ts';
import { freeSpace, type FreeSpace, neededBytes } from '@roster/embedded-postgres';
import { fault, note, ok, warning, type Finding } from './findings/finding.ts';

const gigabyte = 1e9;

/** With fewer free bytes, there is a warning. One export of a large account can need as much. */
const lowSpace = 2 * gigabyte;

/** Checks that the data directory is writable and that its disk has free space. */
export async function checkDisk(
  { dataDir }: Pick<Config, 'dataDir'>,
  readFreeSpace: FreeSpace = freeSpace,
): Promise<readonly Finding[]> {
  const existing = await firstExisting(dataDir);
  const findings: Finding[] = [];
  if (!(await isWritable(existing))) {
    findings.push(
      fault(
        `This user cannot write to ${existing}.`,
        'Start Roster as the owner of the data directory, or set ROSTER_DATA_DIR to another directory.',
      ),
    );
  } else if (existing !== dataDir) {
    findings.push(note(`The data directory ${dataDir} does not exist yet. The first start creates it.`));
  }
  const free = await readFreeSpace(existing);
  const shown = `${(free / gigabyte).toFixed(1)} GB are free on the disk of ${dataDir}.`;
  const advice = 'Free some space, or move the data directory to a larger disk (ROSTER_DATA_DIR).';
  if (free < neededBytes.existingCluster) findings.push(fault(shown, advice));
  else if (free < lowSpace) findings.push(warning(shown, advice));
  else findings.push(ok(shown));
  return findings;
}

async function firstExisting(directory: string): Promise<string> {
  for (let place = directory; ; place = path.dirname(place)) {
    if (
      await stat(place).then(
        (found) => found.isDirectory(),
        () => false,
      )
    )
      return place;
    if (place === path.dirname(place)) return place;
  }
}

const isWritable = (directory: string): Promise<boolean> =>
  access(directory, constants.W_OK | constants.X_OK).then(
    () => true,
    () => false,
  );
