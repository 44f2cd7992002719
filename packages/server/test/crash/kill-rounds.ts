import type { Load } from './load.ts';
import type { Random } from './random.ts';
import type { Report } from './report.ts';
import { disturbedRound } from './round.ts';
import { killKinds, type KillKind, type SupervisedService } from './supervised-service.ts';

/**
 * Kills parts of one service with SIGKILL, round after round, while writers send requests; after each round everything that was answered
 * with 200 must be there.
 *
 * The first rounds kill one thing of each kind; the later ones kill a second thing while the service is still getting up.
 */
export async function killRounds(
  service: SupervisedService,
  load: Load,
  report: Report,
  { rounds, random }: { readonly rounds: number; readonly random: Random },
): Promise<void> {
  for (let round = 0; round < rounds; round++) {
    const kinds: KillKind[] = [killKinds[round % killKinds.length]!];
    if (round >= killKinds.length) kinds.push(random.pick(killKinds));
    await disturbedRound(load, report, `round ${round + 1}, ${kinds.join(' then ')}`, async () => {
      for (const [at, kind] of kinds.entries()) {
        // In the middle of the work, and for the second kill somewhere between the first one and the return to work.
        await load.accepts(at === 0 ? random.integer(30, 300) : random.integer(0, 3));
        if (kind === 'worker with a backlog') {
          await service.pauseWorker();
          // Several batches for the worker that comes next, which loads each while it applies the one before.
          await load.accepts(random.integer(200, 600));
        }
        report.killed(kind, await service.kill(kind, random));
      }
      // The service has to get up by itself, and to work on for the contacts that it knew before.
      await load.accepts(load.writers * 4);
    });
  }
}
