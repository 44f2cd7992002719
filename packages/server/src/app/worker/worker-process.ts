import type { AddressInfo } from 'node:net';
import Fastify from 'fastify';
import type { Config } from '#platform/config/config.ts';
import { urlOfAddress } from '#platform/config/public-url.ts';
import type { Context } from '#platform/context.ts';
import { createContext } from '../create-context.ts';
import { useErrorAnswers } from '#platform/http/errors/errors.ts';
import { checkHosts } from '#platform/http/server/host-check.ts';
import { useCommonHeaders } from '#platform/http/server/response-headers.ts';
import { listenOn } from '#platform/http/server/listen.ts';
import { jobsOf } from '#platform/jobs/job-table.ts';
import { startJobRunner } from '#platform/jobs/runner.ts';
import { observabilityRoutes } from '../health/health.ts';
import { watchProcess } from '#platform/observability/process-metrics.ts';
import { preparePartitions } from '#pipeline/log/coming-partitions.ts';
import type { RequestResult } from '#pipeline/operations/request-result.ts';
import { startUpkeep } from './upkeep.ts';
import { startWorker } from '#pipeline/worker/worker.ts';

/** A running worker process. Disposing of it finishes the current batches and stops the jobs. */
export interface WorkerProcess extends AsyncDisposable {
  /** Address of `/healthz`, `/readyz` and `/metrics`; undefined if it does not listen. */
  readonly url: string | undefined;
  /** Returns the metrics of the process in the JSON format of prom-client. */
  metrics(): Promise<unknown>;
}

/**
 * Starts a worker: the pipeline, the jobs, and the upkeep tasks. With `listen`, it serves health
 * checks and metrics on the configured port. Under a supervisor, the API serves the metrics
 * instead.
 */
export async function startWorkerProcess(
  config: Config,
  options: { readonly listen: boolean },
): Promise<WorkerProcess> {
  const context = createContext(config, 'worker');
  watchProcess(context.metrics.registry, 'worker');
  await preparePartitions(context);
  const worker = startWorker(context, (results, milliseconds) => measure(context, results, milliseconds));
  const upkeep = startUpkeep(context);
  // The jobs have their own connections, so that they cannot delay the pipeline.
  const jobContext = createContext(config, 'jobs', context);
  const jobs = startJobRunner(jobContext, jobsOf(context.features));
  const app = Fastify({ genReqId: () => context.newId() });
  let url: string | undefined;
  if (options.listen) {
    useCommonHeaders(app);
    checkHosts(app, config);
    useErrorAnswers(app, context.log);
    observabilityRoutes(app, context, () => []);
    await listenOn(config, (place) => app.listen(place));
    const { address, port } = app.server.address() as AddressInfo;
    url = urlOfAddress(address, port);
  }
  context.log.info({ loops: config.workerLoops }, 'applying requests');
  return {
    url,
    metrics: () => context.metrics.registry.getMetricsAsJSON(),
    async [Symbol.asyncDispose]() {
      await app.close();
      await Promise.all([upkeep, worker, jobs].map((part) => part[Symbol.asyncDispose]()));
      await Promise.all([jobContext, context].map((part) => part[Symbol.asyncDispose]()));
    },
  };
}

function measure(context: Context, results: readonly RequestResult[], milliseconds: number): void {
  const { applied, batches, lag } = context.metrics;
  const now = context.now().getTime();
  batches.observe(milliseconds / 1000);
  for (const { request, counts } of results) {
    const { operation } = request;
    for (const outcome of ['created', 'updated', 'unchanged', 'deleted', 'failed'] as const) {
      if (counts[outcome] > 0) applied.inc({ operation, outcome }, counts[outcome]);
    }
    lag.observe((now - request.acceptedAt.getTime()) / 1000);
  }
}
