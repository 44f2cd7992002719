import pino from 'pino';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createContext } from '#app/create-context.ts';
import type { Context } from '#platform/context.ts';
import { listenerName } from '#platform/database/connection/listen.ts';
import { requestsChannel } from '#pipeline/accept/accept-store.ts';
import { startWorker } from '#pipeline/worker/worker.ts';
import { startTestService, type TestAccount, type TestService } from '../support/service.ts';

let service: TestService;
const errors: string[] = [];
const log = pino({ level: 'warn' }, { write: (line: string) => void errors.push(line) });
beforeAll(async () => {
  service = await startTestService({ worker: false, log });
});
afterAll(() => service[Symbol.asyncDispose]());

function ownContext(): Context {
  return createContext({ ...service.context.config, workerLoops: 1 }, 'worker', service.context);
}

/** Starts a worker with one loop. */
function startLoop(): AsyncDisposable {
  const context = ownContext();
  const worker = startWorker(context);
  return {
    async [Symbol.asyncDispose]() {
      await worker[Symbol.asyncDispose]();
      await context[Symbol.asyncDispose]();
    },
  };
}

async function createContact(account: TestAccount, name: string): Promise<void> {
  const contacts = [{ identity: `${name}@example.com` }];
  const answer = await account.v5('/contact/create', { data: { contact_type: 'identified', contacts } });
  expect(answer.status).toBe(200);
}

/** Resolves when a worker gets notifications. */
async function isListening(): Promise<void> {
  const text = `select from pg_stat_activity where application_name = $1 and query like 'listen %' and state = 'idle'
    and datname = current_database()`;
  while ((await service.context.pool.query(text, [listenerName(requestsChannel)])).rowCount === 0);
}

test('a worker that was told about a request of an account that is deleted now goes on', async () => {
  const account = await service.createAccount();
  await using _loop = startLoop();
  await isListening();
  await service.context.pool.query('select pg_notify($1, $2)', [requestsChannel, '999999/0']);
  await createContact(account, 'one');
  await service.settled();
  expect(errors).toEqual([]);
});
