import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { createClient, createOperatorClient, type AccountOperator, type Client } from '@roster/client';

/** The running service of a demonstration. */
export interface DemoService {
  readonly url: string;
  readonly apiKey: string;
  readonly adminToken: string;
  readonly process: ChildProcess;
  /** The interface of account 1. */
  readonly roster: Client;
  /** The operator's view of account 1. */
  readonly account: AccountOperator;
}

const program = fileURLToPath(new URL('../../server/src/bin/roster.ts', import.meta.url));

/** Starts the service on a data directory of its own and waits until it is ready. */
export async function startDemoService(settings: {
  readonly dataDir: string;
  readonly port: number;
  readonly apiKey: string;
  readonly adminToken: string;
}): Promise<DemoService> {
  const { dataDir, port, apiKey, adminToken } = settings;
  const child = spawn(process.execPath, [program, 'serve'], {
    stdio: ['ignore', 'ignore', 'inherit'],
    env: {
      ...process.env,
      ROSTER_DATA_DIR: dataDir,
      PORT: String(port),
      ROSTER_API_KEY: apiKey,
      ROSTER_ADMIN_TOKEN: adminToken,
      LOG_LEVEL: process.env['LOG_LEVEL'] ?? 'error',
    },
  });
  const url = `http://127.0.0.1:${port}`;
  await untilReady(child, url);
  return {
    url,
    apiKey,
    adminToken,
    process: child,
    roster: createClient({ url, apiKey }),
    account: createOperatorClient({ url, token: adminToken }).account(1),
  };
}

async function untilReady(child: ChildProcess, url: string): Promise<void> {
  const ended = once(child, 'exit').then(() => {
    throw new Error('the service ended before it was ready; its message stands above');
  });
  const ready = async (): Promise<void> => {
    for (;;) {
      const answer = await fetch(`${url}/readyz`).catch(() => undefined);
      await answer?.body?.cancel();
      if (answer?.status === 200) return;
      await sleep(50);
    }
  };
  await Promise.race([ended, ready()]);
}
