/**
 * Compares an account with one bucket and an account with 16 on the same service: contacts sent over
 * the API until they are searchable, in turn, with one and with two worker processes. Also samples
 * how much of the work of PostgreSQL runs while no other lane of the account must wait.
 *
 * `npm run bench:buckets -- [--contacts 300000]`
 */
import { spawn } from 'node:child_process';
import path from 'node:path';
import { parseArgs } from 'node:util';
import pg from 'pg';
import { addCpu, cpuBetween, describeCalibration, describeCpu, noCpu, processCpu, type CpuTime } from './cpu-time.ts';
import { lists, person } from './people.ts';
import { shuffled, startBenchService } from './support.ts';

const { values: options } = parseArgs({ options: { contacts: { type: 'string', default: '300000' } } });
const contacts = Number(options.contacts);
const perRequest = 1000;
const connections = 4;
const slice = 50_000;
let secondWorker: number | undefined;
const passes = ['insert', 'update'] as const;

await using service = await startBenchService();
const database = await service.database();
const databaseUrl = await service.databaseUrl();

/** An account under test. */
interface Account {
  readonly name: string;
  readonly accountId: number;
  readonly apiKey: string;
}

async function createAccount(buckets: number): Promise<Account> {
  const made = await service.admin('POST', '/accounts', { name: `${buckets} buckets` });
  const accountId = made['account_id'] as number;
  await service.admin('PATCH', `/accounts/${accountId}`, { settings: { buckets, auto_create_attributes: true } });
  for (let n = 1; n <= lists; n++) await service.admin('POST', `/accounts/${accountId}/lists`, { name: `List ${n}` });
  return { name: `${buckets} buckets`, accountId, apiKey: made['api_key'] as string };
}

for (const workers of [1, 2]) {
  await using _second = workers === 2 ? startWorker() : undefined;
  const accounts = [await createAccount(1), await createAccount(16)];
  for (const account of accounts) await send(account, bodiesOf([contacts], 0));
  await service.drained();
  const order = shuffled(contacts);
  for (const [version, pass] of passes.entries()) {
    const totals = accounts.map(() => ({ seconds: 0, cpu: noCpu, parallel: 0, busy: 0, commits: 0 }));
    for (let from = 0; from < contacts; from += slice) {
      const bodies = bodiesOf(order.slice(from, from + slice), version);
      // The accounts take turns in going first.
      const turn = [...accounts.entries()];
      if ((from / slice) % 2 === 1) turn.reverse();
      for (const [at, account] of turn) {
        const sampler = sample(account.accountId);
        const before = await cpuOfAll();
        const commitsBefore = await commits();
        const started = performance.now();
        await send(account, bodies);
        await service.drained();
        const total = totals[at]!;
        total.seconds += (performance.now() - started) / 1000;
        total.commits += (await commits()) - commitsBefore;
        total.cpu = addCpu(total.cpu, cpuBetween(before, await cpuOfAll()));
        const { parallel, busy } = await sampler();
        total.parallel += parallel;
        total.busy += busy;
      }
    }
    const [one, several] = totals;
    for (const [at, { seconds, cpu, parallel, busy, commits: committed }] of totals.entries()) {
      const part = at === 0 ? '' : `; ${((100 * parallel) / Math.max(1, busy)).toFixed(0)} % of the samples parallel`;
      console.log(
        `${workers} worker(s), ${pass}, ${accounts[at]!.name}: ${(contacts / seconds).toFixed(0)} contacts/s; ` +
          `${describeCpu(cpu, contacts, 'contact')}; ${((1000 * committed) / contacts).toFixed(1)} commits for 1000 contacts${part}`,
      );
    }
    const serviceOf = ({ API, worker, PostgreSQL }: CpuTime): number => API + worker + PostgreSQL;
    console.log(
      `${workers} worker(s), ${pass}: 16 buckets / 1 bucket: speed ${(one!.seconds / several!.seconds).toFixed(2)}, ` +
        `CPU ${(serviceOf(several!.cpu) / serviceOf(one!.cpu)).toFixed(2)}`,
    );
  }
}
console.log(describeCalibration(bodiesOf(shuffled(100_000), 0)));
await database.end();

async function cpuOfAll(): Promise<CpuTime> {
  const cpu = await service.cpu();
  return secondWorker === undefined ? cpu : { ...cpu, worker: cpu.worker + (await processCpu(secondWorker)) };
}

/** Returns the number of transactions of the database so far. */
async function commits(): Promise<number> {
  await database.query('select pg_stat_force_next_flush()');
  const { rows } = await database.query<{ commits: string }>(
    'select xact_commit as commits from pg_stat_database where datname = current_database()',
  );
  return Number(rows[0]!.commits);
}

/** Starts another worker process on the same database. */
function startWorker(): AsyncDisposable {
  const program = path.join(import.meta.dirname, '../packages/server/src/app/bin/roster.ts');
  const child = spawn(process.execPath, [program, 'serve'], {
    env: {
      ...process.env,
      DATABASE_URL: databaseUrl,
      ROSTER_ROLE: 'worker',
      PORT: String(40_000 + Math.floor(Math.random() * 20_000)),
      ROSTER_DATA_DIR: service.dataDir,
      LOG_LEVEL: 'warn',
    },
    stdio: ['ignore', 'inherit', 'inherit'],
  });
  secondWorker = child.pid;
  return {
    async [Symbol.asyncDispose]() {
      const ended = new Promise((resolve) => child.once('exit', resolve));
      child.kill();
      await ended;
      secondWorker = undefined;
    },
  };
}

/**
 * Samples the active connections of the workers until the returned function is called. A connection
 * works in parallel unless it has the lock for the rows that all lanes of the account share.
 */
function sample(accountId: number): () => Promise<{ parallel: number; busy: number }> {
  const counts = { parallel: 0, busy: 0 };
  const stop = new AbortController();
  const sampling = (async () => {
    const client = new pg.Client({ connectionString: databaseUrl });
    await client.connect();
    while (!stop.signal.aborted) {
      const { rows } = await client.query<{ parallel: number; busy: number }>(
        `select count(*)::int as busy, count(*) filter (where not exists (
           select from pg_locks l where l.pid = a.pid and l.locktype = 'advisory' and l.classid = 7012 and l.objid = $1 and l.granted
         ))::int as parallel
         from pg_stat_activity a
         where datname = current_database() and pid <> pg_backend_pid() and xact_start is not null
           and state = 'active' and wait_event is null and application_name like '%worker%'`,
        [accountId],
      );
      counts.parallel += rows[0]!.parallel;
      counts.busy += rows[0]!.busy;
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
    await client.end();
  })();
  return async () => {
    stop.abort();
    await sampling;
    return counts;
  };
}

function bodiesOf(order: readonly number[], version: number): Buffer[] {
  const bodies: Buffer[] = [];
  for (let from = 0; from < order.length; from += perRequest) {
    const part = order.slice(from, from + perRequest).map((n) => {
      const { lists: listIds, ...contact } = person(n, version);
      return { ...contact, audience_details: [{ audience_id: listIds, audience_type: 'list' }] };
    });
    bodies.push(Buffer.from(JSON.stringify({ data: { contact_type: 'identified', contacts: part } })));
  }
  return bodies;
}

async function send(account: Account, bodies: readonly Buffer[]): Promise<void> {
  let next = 0;
  await Promise.all(
    Array.from({ length: connections }, async () => {
      while (next < bodies.length) await service.postAs(account.apiKey, '/contact/create', bodies[next++]);
    }),
  );
}
