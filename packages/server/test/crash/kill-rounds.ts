import { endingProblems } from './graceful-stop.ts';
import type { Load } from './load.ts';
import type { Random } from './random.ts';
import type { Report } from './report.ts';
import { disturbedRound } from './round.ts';
import type { SideWork } from './side-work/side-work.ts';
import { killKinds, type SupervisedService } from './supervised-service.ts';

/** The disturbances of a service during its work: kills, a paused database, an ordinary stop. */
export const disturbances = [...killKinds, 'database paused', 'stop under load'] as const;

/** One kind of disturbance. */
type Disturbance = (typeof disturbances)[number];

/**
 * Disturbs a service round after round, while writers send requests. After each round, everything
 * that was answered with 200 must be there.
 *
 * The first rounds have one disturbance each, one of every kind. Later rounds have a second one
 * while the service still recovers. A paused database stands still for up to `longestPause`
 * milliseconds.
 */
export async function killRounds(
  service: SupervisedService,
  { load, work }: { readonly load: Load; readonly work: SideWork },
  report: Report,
  { rounds, random, longestPause }: { readonly rounds: number; readonly random: Random; readonly longestPause: number },
): Promise<void> {
  for (let round = 0; round < rounds; round++) {
    const kinds: Disturbance[] = [disturbances[round % disturbances.length]!];
    if (round >= disturbances.length) kinds.push(random.pick(disturbances));
    const name = `round ${round + 1} of ${rounds}, ${kinds.join(' then ')}`;
    await disturbedRound(load, report, name, async () => {
      for (const [at, kind] of kinds.entries()) {
        // The first disturbance comes during work, the second one during the recovery.
        await load.accepts(at === 0 ? random.integer(30, 300) : random.integer(0, 3));
        await disturb(kind, at === 0);
      }
      // The service must recover by itself, and continue with the contacts that it knew before.
      await load.accepts(load.writers * 4);
    });
    work.look(report, name);
  }

  async function disturb(kind: Disturbance, isFirst: boolean): Promise<void> {
    switch (kind) {
      case 'database paused':
        await service.pauseDatabase(random.integer(200, longestPause));
        return;
      case 'stop under load':
        report.check('the service stops in time, with code 0', endingProblems(await service.stop()));
        report.check('the stopped service left no process behind', await service.leftovers());
        await service.start();
        return;
      case 'worker with a backlog':
        await service.pauseWorker();
        // The next worker gets several batches, and loads each while it applies the one before.
        await load.accepts(random.integer(200, 600));
        break;
      default:
        break;
    }
    const killed = await service.kill(kind, random);
    report.killed(kind, killed);
    // A second disturbance may find no process, because the first one still has an effect. The
    // first must find one, or the round tests nothing.
    if (isFirst)
      report.check(`${kind}: there was something to kill`, killed > 0 ? [] : ['no process of this kind was found']);
  }
}
