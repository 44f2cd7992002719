import { setTimeout as sleep } from 'node:timers/promises';
import { Load } from './load.ts';
import type { Random } from './random.ts';
import type { Report } from './report.ts';
import { disturbedRound } from './round.ts';
import { CallbackReceiver } from './side-work/callbacks.ts';
import { SideWork } from './side-work/side-work.ts';
import { mountSmallDisk, smallDiskObstacle } from './small-disk.ts';
import { SupervisedService } from './supervised-service.ts';

/**
 * Fills the disk of a service while it works, and frees it again. Everything that was answered with
 * 200 must be there, and the service must recover by itself. If the machine cannot mount a small
 * disk, the report gives the reason.
 */
export async function diskFull(
  report: Report,
  {
    rounds,
    writers,
    random,
    longest,
  }: { readonly rounds: number; readonly writers: number; readonly random: Random; readonly longest: number },
): Promise<void> {
  const obstacle = smallDiskObstacle();
  if (obstacle !== undefined) return report.say(`disk full: skipped, because ${obstacle}`);
  using disk = await mountSmallDisk();
  if (disk === undefined)
    return report.say('disk full: skipped, because this system does not allow to mount a file system');
  await using callbacks = await CallbackReceiver.start();
  // Disposing the service removes nothing. The disk is unmounted with all its files.
  const directory = { path: disk.path, [Symbol.dispose]: () => undefined };
  await using service = await SupervisedService.start({ callbacksTo: callbacks.place, directory });
  report.complaints = () => service.complaints;
  const load = await Load.prepare(service, { accounts: 2, writers, random });
  report.loads.push(load.state);
  const work = await SideWork.start(service, callbacks, { fillsDisk: true });
  for (let round = 1; round <= rounds; round++) {
    const name = `disk full, round ${round}`;
    await disturbedRound(load, report, name, async () => {
      await load.accepts(random.integer(30, 150));
      try {
        await disk.fill();
        await sleep(random.integer(500, longest));
      } finally {
        disk.free();
      }
      await load.accepts(load.writers * 4);
    });
    work.look(report, name);
  }
  await work.finish(report);
}
