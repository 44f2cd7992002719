import { access, constants, stat } from 'node:fs/promises';
import path from 'node:path';
import type { Config } from '#platform/config/config.ts';
import { freeSpace, type FreeSpace, neededBytes } from '@roster/embedded-postgres';
import { fault, note, ok, warning, type Finding } from './finding.ts';

const gigabyte = 1e9;

/** Free bytes below which the disk is full soon: an export of a large account, or a checkpoint, takes as much. */
const comfortable = 2 * gigabyte;

/** Whether the data directory can be written, and how much space its disk has. */
export async function checkDisk(
  { dataDir }: Pick<Config, 'dataDir'>,
  readFreeSpace: FreeSpace = freeSpace,
): Promise<readonly Finding[]> {
  const existing = await firstExisting(dataDir);
  const isThere = existing === dataDir;
  const findings: Finding[] = [];
  if (!(await isWritable(existing))) {
    findings.push(
      fault(
        `${existing} cannot be written by this user.`,
        'Start Roster as the user to whom the data directory belongs, or set ROSTER_DATA_DIR to another.',
      ),
    );
  } else if (!isThere) findings.push(note(`The data directory ${dataDir} is not there yet; the first start makes it.`));
  const free = await readFreeSpace(existing);
  const shown = `${(free / gigabyte).toFixed(1)} GB are free on the disk of ${dataDir}.`;
  const advice = 'Free some space, or move the data directory to a larger disk (ROSTER_DATA_DIR).';
  if (free < neededBytes.existingCluster) findings.push(fault(shown, advice));
  else if (free < comfortable) findings.push(warning(shown, advice));
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
