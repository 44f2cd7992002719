import { readConfig } from '#platform/config/config.ts';
import { startApi } from '../api/api-process.ts';
import { runChild } from '../supervisor/child.ts';
import { onSupervisorMessage } from '@roster/embedded-postgres';

// The API process: started by the supervisor, or by `roster serve` with ROSTER_ROLE=api.
await runChild(async () => {
  const api = await startApi(readConfig());
  // The supervisor forwards the metrics that the worker sends.
  onSupervisorMessage((metrics) => api.setWorkerMetrics(metrics));
  return api;
});
