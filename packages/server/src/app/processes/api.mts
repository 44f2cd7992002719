import { readConfig } from '#platform/config/config.ts';
import { startApi } from '../api/api-process.ts';
import { onWorkerMetrics, runChild } from '../supervisor/child.ts';

// The API process: started by the supervisor, or by `roster serve` with ROSTER_ROLE=api.
await runChild(async () => {
  const api = await startApi(readConfig());
  onWorkerMetrics((metrics) => api.setWorkerMetrics(metrics));
  return api;
});
