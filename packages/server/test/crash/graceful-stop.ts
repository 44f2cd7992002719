import type { Load } from './load.ts';
import type { Report } from './report.ts';
import { disturbedRound } from './round.ts';
import type { Ending } from './roster-process.ts';
import type { SupervisedService } from './supervised-service.ts';

/** Milliseconds in which a process must end after SIGTERM. */
const stopLimit = 10_000;

/**
 * Stops the service with SIGTERM while writers send requests, and starts it again. No answered
 * request may be lost.
 */
export async function gracefulStop(service: SupervisedService, load: Load, report: Report): Promise<void> {
  const appliedBefore = report.appliedUnanswered;
  await disturbedRound(load, report, 'graceful stop', async () => {
    await load.accepts(200);
    report.check('the service stops in time, with code 0', endingProblems(await service.stop()));
    report.check('the stopped service left no process behind', await service.leftovers());
    await service.start();
    await load.accepts(load.writers * 4);
  });
  // A request can arrive on an idle connection that is being closed. It then gets no answer, but
  // must not be applied either.
  const untold = report.appliedUnanswered - appliedBefore;
  report.check('what the stopping service took in was answered', untold === 0 ? [] : [`${untold} requests were not`]);
}

/** The problems with the end of a process that was asked to stop. */
export function endingProblems({ code, signal, milliseconds }: Ending): string[] {
  if (code === 0 && milliseconds < stopLimit) return [];
  return [`it ended after ${milliseconds.toFixed(0)} ms with code ${code}, signal ${signal}`];
}
