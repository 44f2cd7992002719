import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { request } from 'undici';

/** The running service of a demonstration. */
export interface DemoService {
  readonly url: string;
  readonly apiKey: string;
  readonly adminToken: string;
  readonly process: ChildProcess;
  /** Calls the V5 interface of account 1 or the operator API; throws when the answer is no success. */
  call(method: 'GET' | 'POST', path: string, body?: object | string): Promise<Record<string, unknown>>;
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
    async call(method, path, body) {
      const { statusCode, body: answer } = await request(`${url}${path}`, {
        method,
        headers: {
          'api-key': apiKey,
          authorization: `Bearer ${adminToken}`,
          ...(body === undefined
            ? {}
            : { 'content-type': typeof body === 'string' ? 'application/x-ndjson' : 'application/json' }),
        },
        ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
      });
      const text = await answer.text();
      if (statusCode >= 300) throw new Error(`${method} ${path} answered ${statusCode}: ${text.slice(0, 500)}`);
      return JSON.parse(text) as Record<string, unknown>;
    },
  };
}

async function untilReady(child: ChildProcess, url: string): Promise<void> {
  const ended = once(child, 'exit').then(() => {
    throw new Error('the service ended before it was ready; its message stands above');
  });
  const ready = async (): Promise<void> => {
    for (;;) {
      const answer = await request(`${url}/readyz`).catch(() => undefined);
      await answer?.body.dump();
      if (answer?.statusCode === 200) return;
      await sleep(50);
    }
  };
  await Promise.race([ended, ready()]);
}
