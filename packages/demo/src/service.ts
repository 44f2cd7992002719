import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import {
  createClient,
  createOperatorClient,
  type AccountOperator,
  type Client,
  type OperatorClient,
} from '@roster/client';
import path from 'node:path';
import { localUrl } from '../../server/src/app/cli/terminal/session.ts';
import { settings as serviceSettings } from '../../server/src/platform/config/settings.ts';
import { readTokenFile } from '../../server/src/app/supervisor/admin-token.ts';

/** The running service of a demo. Disposing of it stops the service and waits for its end. */
export interface DemoService extends AsyncDisposable {
  readonly url: string;
  readonly apiKey: string;
  readonly adminToken: string;
  readonly dataDir: string;
  /** Aborts the calls of all clients. */
  readonly signal: AbortSignal;
  /** Resolves with the exit code when the service has ended; null if a signal ended it. */
  readonly ended: Promise<number | null>;
  /** Tells the service to stop. */
  stop(): void;
  /** Runs a command of `roster` on the data of the service. */
  run(...args: readonly string[]): Promise<void>;
  /** The client of account 1. */
  readonly roster: Client;
  /** The operator client of account 1. */
  readonly account: AccountOperator;
  /** The operator client. */
  readonly operator: OperatorClient;
}

const program = fileURLToPath(new URL('../../server/src/app/bin/roster.ts', import.meta.url));

/**
 * Starts the service on a data directory and waits until it is ready. `signal` stops the service
 * and aborts the calls of both clients.
 *
 * The service does not inherit the settings of Roster from the environment, except `LOG_LEVEL`.
 * With an inherited `DATABASE_URL`, the demo would fill that database. The service generates its
 * operator token and keeps it in the data directory, so that the next start has the same token.
 */
export async function startDemoService(settings: {
  readonly dataDir: string;
  readonly host: string;
  readonly port: number;
  readonly apiKey: string;
  readonly signal: AbortSignal;
  /** The owner that the service creates. */
  readonly owner: { readonly email: string; readonly password: string };
}): Promise<DemoService> {
  const { dataDir, host, port, apiKey, signal, owner } = settings;
  const child = spawn(process.execPath, [program, 'serve'], {
    stdio: ['ignore', 'ignore', 'inherit'],
    env: {
      ...withoutSettings(process.env),
      ROSTER_DATA_DIR: dataDir,
      HOST: host,
      PORT: String(port),
      ROSTER_API_KEY: apiKey,
      ROSTER_OWNER_EMAIL: owner.email,
      ROSTER_OWNER_PASSWORD: owner.password,
      // The demo itself receives the callbacks and events.
      ROSTER_CALLBACK_ALLOW: '127.0.0.1',
      LOG_LEVEL: process.env['LOG_LEVEL'] ?? 'error',
    },
  });
  const ended = once(child, 'exit').then(([code]) => code as number | null);
  const stop = (): void => void child.kill('SIGTERM');
  if (signal.aborted) stop();
  else signal.addEventListener('abort', stop, { once: true });
  const url = localUrl({ host, port });
  await untilReady(ended, url);
  const adminToken = await readTokenFile(path.join(dataDir, 'admin-token'));
  if (adminToken === undefined) throw new Error('the service did not create an operator token');
  const operator = createOperatorClient({ url, token: adminToken, signal });
  return {
    url,
    apiKey,
    adminToken,
    dataDir,
    signal,
    ended,
    stop,
    async run(...args) {
      const env = { ...withoutSettings(process.env), ROSTER_DATA_DIR: dataDir };
      await promisify(execFile)(process.execPath, [program, ...args], { env, signal });
    },
    roster: createClient({ url, apiKey, signal }),
    account: operator.account(1),
    operator,
    async [Symbol.asyncDispose]() {
      stop();
      await ended;
    },
  };
}

function withoutSettings(env: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  const names = new Set(Object.values(serviceSettings).map((setting) => setting.env));
  return Object.fromEntries(Object.entries(env).filter(([name]) => !names.has(name) && !name.startsWith('ROSTER_')));
}

async function untilReady(ended: Promise<unknown>, url: string): Promise<void> {
  const endedEarly = ended.then(() => {
    throw new Error('the service ended before it was ready; see its message above');
  });
  const ready = async (): Promise<void> => {
    for (;;) {
      const answer = await fetch(`${url}/readyz`).catch(() => undefined);
      await answer?.body?.cancel();
      if (answer?.status === 200) return;
      await sleep(50);
    }
  };
  await Promise.race([endedEarly, ready()]);
}
