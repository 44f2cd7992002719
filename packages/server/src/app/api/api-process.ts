import type { AddressInfo } from 'node:net';
import { createCredentialStore } from '#features/accounts/keys/credentials.ts';
import type { Config } from '#platform/config/config.ts';
import { urlOfAddress } from '#platform/config/public-url.ts';
import { createContext, type ContextOverrides } from '../create-context.ts';
import { watchProcess } from '#platform/observability/process-metrics.ts';
import { createAcceptor } from '#pipeline/accept/acceptor.ts';
import { buildApp } from './app.ts';
import { createPersonStore } from '#features/users/sessions/person-store.ts';
import { createFailedAuthentications } from '#platform/http/authentication/failed-authentications.ts';
import { listenOn } from '#platform/http/server/listen.ts';

/** A running API process. Disposing of it finishes the requests in flight and stops listening. */
export interface ApiProcess extends AsyncDisposable {
  /** Address of the API, which a client on this machine can open. */
  readonly url: string;
  /** Sets the metrics of the worker (JSON of prom-client), which `/metrics` adds to its own. */
  setWorkerMetrics(metrics: unknown): void;
}

/** Starts the HTTP interface. Throws `EADDRINUSE` if the port is taken. */
export async function startApi(config: Config, overrides: ContextOverrides = {}): Promise<ApiProcess> {
  if (config.adminToken === undefined) throw new Error('an API process needs the operator token');
  const context = createContext(config, 'api', overrides);
  watchProcess(context.metrics.registry, 'api');
  const credentials = createCredentialStore(context);
  const acceptor = createAcceptor(context);
  let workerMetrics: readonly object[] = [];
  const failedAuthentications = createFailedAuthentications(context);
  const adminToken = config.adminToken;
  const service = {
    context,
    credentials,
    people: createPersonStore(context),
    failedAuthentications,
    acceptor,
    adminToken,
  };
  const app = await buildApp(service, { otherMetrics: () => workerMetrics });
  try {
    await listenOn(config, (place) => app.listen(place));
  } catch (error) {
    await close();
    throw error;
  }
  const { address, port } = app.server.address() as AddressInfo;
  const url = urlOfAddress(address, port);
  context.log.info({ url }, 'listening');

  async function close(): Promise<void> {
    await app.close();
    await acceptor.drain();
    await credentials[Symbol.asyncDispose]();
    await context[Symbol.asyncDispose]();
  }

  return {
    url,
    setWorkerMetrics(metrics) {
      workerMetrics = [metrics as object];
    },
    [Symbol.asyncDispose]: close,
  };
}
