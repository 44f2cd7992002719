import type { FastifyInstance } from 'fastify';
import { createCredentialStore } from '#features/accounts/keys/credentials.ts';
import { ensureFirstAccount } from '#app/first-start.ts';
import type { Config } from '#platform/config/config.ts';
import type { Context } from '#platform/context.ts';
import { createContext, type ContextOverrides } from '#app/create-context.ts';
import { buildApp, type AppOptions } from '#app/api/app.ts';
import { createPersonStore } from '#features/users/sessions/person-store.ts';
import { createFailedAuthentications } from '#platform/http/authentication/failed-authentications.ts';
import {
  jobsOf,
  type JobDefinitions,
  type JobHandler,
  type JobName,
  type JobPayloads,
} from '#platform/jobs/job-table.ts';
import { startJobRunner } from '#platform/jobs/runner.ts';
import { createAcceptor } from '#pipeline/accept/acceptor.ts';
import { startWorker } from '#pipeline/worker/worker.ts';
import { createTestContext, testAdminToken } from './context.ts';

/** An answer of the service. */
export interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, unknown>>;
  // Tests read answers of every shape. Reading a field that does not exist makes an expectation
  // fail.
  // oxlint-disable-next-line typescript/no-explicit-any
  readonly body: any;
}

/** An account with an API key, and functions to call the service for it. */
export interface TestAccount {
  readonly accountId: number;
  readonly apiKey: string;
  /** Sends a V5 request. `path` is without `/v5`. */
  v5(path: string, body: unknown, headers?: Record<string, string>): Promise<Answer>;
  /**
   * Sends a V5 request, and waits until it is applied. Returns the request as operators see it.
   * Throws when it is refused.
   */
  apply(path: string, body: unknown): Promise<Answer['body']>;
  /** Creates identified contacts with {@link apply}. */
  createContacts(contacts: readonly object[]): Promise<Answer['body']>;
  /** Changes contacts with {@link apply}. */
  updateContacts(contacts: readonly object[]): Promise<Answer['body']>;
  /** Creates attributes with {@link apply}. */
  createAttributes(attributes: readonly object[]): Promise<Answer['body']>;
  /** Creates a list and returns its number. Throws when the name is refused. */
  createList(name: string): Promise<number>;
  /** Searches, and returns the rows. Throws when the search is refused. */
  rows(body: unknown): Promise<Record<string, unknown>[]>;
  /** Calls the operator API. `path` is relative to the path of the account. */
  operator(method: 'GET' | 'POST' | 'PATCH' | 'DELETE', path: string, body?: unknown): Promise<Answer>;
}

/** Handlers for some kinds of jobs. Other kinds do not run. */
type TestJobs = { readonly [Name in JobName]?: JobHandler<JobPayloads[Name]> };

/** The API and a worker in one process, on a separate database. */
export interface TestService extends AsyncDisposable {
  readonly app: FastifyInstance;
  readonly context: Context;
  /** Account 1, which the service has created. */
  readonly first: TestAccount;
  /** An account that exists already. */
  account(accountId: number, apiKey: string): TestAccount;
  /**
   * Starts one more worker with separate connections, like another process. Dispose it to stop it.
   * It serves an account for up to `laneSlice` milliseconds at a time (default: as in worker
   * processes).
   */
  startWorker(lanes?: number, laneSlice?: number): AsyncDisposable;
  /**
   * Starts to run jobs with separate connections (default: all kinds, as in a worker process).
   * Dispose it to stop.
   */
  startJobs(handlers?: TestJobs): AsyncDisposable;
  createAccount(body?: object): Promise<TestAccount>;
  call(method: string, url: string, options?: { body?: unknown; headers?: Record<string, string> }): Promise<Answer>;
  operator(method: string, path: string, body?: unknown): Promise<Answer>;
  /** Resolves when the queue is empty. */
  settled(): Promise<void>;
}

/**
 * Starts a service for a test file. With `worker: false`, requests stay in the queue. Jobs run only
 * after `startJobs` is called.
 */
export async function startTestService(
  options: ContextOverrides &
    Pick<AppOptions, 'memory' | 'consoleDirectory'> & { config?: Partial<Config>; worker?: boolean } = {},
): Promise<TestService> {
  const context = await createTestContext(options);
  const firstAccount = await ensureFirstAccount(context);
  const credentials = createCredentialStore(context);
  const acceptor = createAcceptor(context);
  const failedAuthentications = createFailedAuthentications(context);
  const parts = {
    context,
    credentials,
    people: createPersonStore(context),
    failedAuthentications,
    acceptor,
    adminToken: testAdminToken,
  };
  const app = await buildApp(parts, options);
  await app.ready();
  function startOwnWorker(lanes = 2, laneSlice?: number): AsyncDisposable {
    const own = createContext({ ...context.config, workerLoops: lanes }, 'worker', context);
    const worker = startWorker(own, undefined, laneSlice);
    return {
      async [Symbol.asyncDispose]() {
        await worker[Symbol.asyncDispose]();
        await own[Symbol.asyncDispose]();
      },
    };
  }
  function startOwnJobs(handlers?: TestJobs): AsyncDisposable {
    const own = createContext(context.config, 'jobs', context);
    const runner = startJobRunner(own, withHandlers(jobsOf(own.features), handlers));
    return {
      async [Symbol.asyncDispose]() {
        await runner[Symbol.asyncDispose]();
        await own[Symbol.asyncDispose]();
      },
    };
  }
  const worker = options.worker === false ? undefined : startOwnWorker();

  const call: TestService['call'] = async (method, url, { body, headers = {} } = {}) => {
    const response = await app.inject({
      method: method as 'POST',
      url,
      headers: { ...(body === undefined ? {} : { 'content-type': 'application/json' }), ...headers },
      ...(body === undefined
        ? {}
        : { payload: typeof body === 'string' || Buffer.isBuffer(body) ? body : JSON.stringify(body) }),
    });
    const text = response.payload;
    return {
      status: response.statusCode,
      headers: response.headers,
      body: text.startsWith('{') ? JSON.parse(text) : text,
    };
  };
  const operator: TestService['operator'] = (method, path, body) =>
    call(method, `/admin/v1${path}`, { body, headers: { authorization: `Bearer ${testAdminToken}` } });

  async function settled(): Promise<void> {
    for (;;) {
      const waiting = await context.db.selectFrom('request_queue').select('seq').limit(1).executeTakeFirst();
      if (waiting === undefined) return;
      await new Promise((resolve) => setTimeout(resolve, 2));
    }
  }

  function accountOf(accountId: number, apiKey: string): TestAccount {
    const v5: TestAccount['v5'] = (path, body, headers = {}) =>
      call('POST', `/v5${path}`, { body, headers: { 'api-key': apiKey, ...headers } });
    const apply: TestAccount['apply'] = async (path, body) => {
      const answer = await v5(path, body);
      if (answer.status !== 200) throw new Error(`${path} was refused: ${JSON.stringify(answer.body)}`);
      await settled();
      return (await operator('GET', `/accounts/${accountId}/requests/${answer.body.request_id}`)).body;
    };
    return {
      accountId,
      apiKey,
      v5,
      operator: (method, path, body) => operator(method, `/accounts/${accountId}${path}`, body),
      apply,
      createContacts: (contacts) => apply('/contact/create', { data: { contact_type: 'identified', contacts } }),
      updateContacts: (contacts) => apply('/contact/update', { data: { contacts } }),
      createAttributes: (data) => apply('/client/attribute/create', { data }),
      async createList(name) {
        const answer = await operator('POST', `/accounts/${accountId}/lists`, { name });
        if (answer.status !== 201) throw new Error(`the list was refused: ${JSON.stringify(answer.body)}`);
        return answer.body.audience_id;
      },
      async rows(body) {
        const answer = await v5('/contact/search', body);
        if (answer.status !== 200) throw new Error(`the search was refused: ${JSON.stringify(answer.body)}`);
        return answer.body.data;
      },
    };
  }

  return {
    app,
    context,
    startWorker: startOwnWorker,
    startJobs: startOwnJobs,
    get first() {
      if (firstAccount === undefined) throw new Error('the database had accounts before the service started');
      return accountOf(firstAccount.accountId, firstAccount.apiKey);
    },
    account: accountOf,
    async createAccount(body = { name: 'Another' }) {
      const answer = await operator('POST', '/accounts', body);
      if (answer.status !== 201) throw new Error(`the account was refused: ${JSON.stringify(answer.body)}`);
      return accountOf(answer.body.account_id, answer.body.api_key);
    },
    call,
    operator,
    settled,
    async [Symbol.asyncDispose]() {
      await worker?.[Symbol.asyncDispose]();
      await app.close();
      await credentials[Symbol.asyncDispose]();
      await context[Symbol.asyncDispose]();
    },
  };
}

/**
 * Returns the definitions of jobs that have a handler, with the concurrency of a worker process.
 * Without handlers, returns all.
 */
function withHandlers(definitions: JobDefinitions, handlers: TestJobs | undefined): JobDefinitions {
  if (handlers === undefined) return definitions;
  const names = Object.keys(handlers) as JobName[];
  return Object.fromEntries(names.map((name) => [name, { ...definitions[name]!, run: handlers[name]! }]));
}
