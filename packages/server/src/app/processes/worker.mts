import { readConfig } from '#platform/config/config.ts';
import { startWorkerProcess } from '../worker/worker-process.ts';
import { runChild } from '../supervisor/child.ts';
import { sendToSupervisor } from '@roster/embedded-postgres';

// Milliseconds. Recent enough for a scrape every few seconds, and cheap.
const publishInterval = 2000;

// The worker process: started by the supervisor, or by `roster serve` with ROSTER_ROLE=worker.
await runChild(async () => {
  const supervised = process.send !== undefined;
  const worker = await startWorkerProcess(readConfig(), { listen: !supervised });
  const timer = setInterval(() => void worker.metrics().then(sendToSupervisor), publishInterval);
  return {
    ...(worker.url === undefined ? {} : { url: worker.url }),
    async [Symbol.asyncDispose]() {
      clearInterval(timer);
      await worker[Symbol.asyncDispose]();
    },
  };
});
