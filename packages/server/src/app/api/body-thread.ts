import { ApiError } from '#platform/errors/api-error.ts';
import { doBodyTask, type BodyJob, type BodyResult } from './body-tasks.ts';

/** The program of the threads of {@link BodyThreads}: does one task at a time. */
export default async function run(job: BodyJob): Promise<BodyResult> {
  try {
    return await doBodyTask(job);
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    const { code, params, faults } = error;
    return { faults: [], error: { code, params, faults } };
  }
}
