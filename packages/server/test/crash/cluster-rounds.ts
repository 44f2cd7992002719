import { setTimeout as sleep } from 'node:timers/promises';
import { Cluster, type ClusterServer } from './cluster.ts';
import type { LoadedAccount } from './journal.ts';
import { Load } from './load.ts';
import type { Random } from './random.ts';
import type { Report } from './report.ts';
import { disturbedRound } from './round.ts';
import { SharedDatabase } from './shared-database.ts';
import { CallbackReceiver } from './side-work/callbacks.ts';
import { SideWork } from './side-work/side-work.ts';
import { answerFor, operator } from './target.ts';
import { until } from './wait.ts';

/** The disturbances of a service on a cluster. Those of a node last for some seconds. */
export const clusterDisturbances = [
  'node killed',
  'node killed, then a worker',
  'node paused',
  'worker',
  'api',
  'node and coordinator killed',
  'coordinator killed',
  'node killed, then an API',
  'node restarted at once',
] as const;

type Disturbance = (typeof clusterDisturbances)[number];

/** Options of {@link clusterRounds}. */
export interface ClusterRoundsOptions {
  readonly rounds: number;
  readonly writers: number;
  readonly random: Random;
}

/** Milliseconds in which the service must notice that a node is down. */
const noticeLimit = 15_000;

/**
 * Disturbs a service on a cluster round after round: kills its processes, nodes and the coordinator.
 *
 * While a node is down, the accounts on the other nodes must continue, and its own accounts must get
 * a 503. When it is back, its accounts must continue by themselves.
 */
export async function clusterRounds(report: Report, { rounds, writers, random }: ClusterRoundsOptions): Promise<void> {
  await using callbacks = await CallbackReceiver.start();
  const cluster = await Cluster.prepare();
  await using deployment = await SharedDatabase.on(cluster, {
    ROSTER_LAYOUT: 'citus',
    ROSTER_CALLBACK_ALLOW: callbacks.place,
  });
  report.complaints = () => deployment.complaints;
  await deployment.add('api', 1);
  await deployment.add('worker', 2);
  const load = await Load.prepare(deployment, { accounts: 4, writers, random, isEnough: areOnSeveralNodes });
  report.loads.push(load.state);
  const work = await SideWork.start(deployment, callbacks);
  const places = new Map<LoadedAccount, ClusterServer>();
  for (const account of load.accounts) places.set(account, await cluster.nodeOf(account.accountId));

  for (let round = 0; round < rounds; round++) {
    const kind = clusterDisturbances[round % clusterDisturbances.length]!;
    const name = `round ${round + 1} of ${rounds}, ${kind}`;
    await disturbedRound(load, report, name, async () => {
      await load.accepts(random.integer(30, 200));
      await disturb(kind, name);
      await load.accepts(load.writers * 4);
    });
    work.look(report, name);
  }
  await work.finish(report);

  /** With one bucket and with several, on at least two nodes each. */
  async function areOnSeveralNodes(accounts: readonly LoadedAccount[]): Promise<boolean> {
    const nodes = await Promise.all(accounts.map(async ({ accountId }) => (await cluster.nodeOf(accountId)).port));
    const ofBuckets = (isOne: boolean): number =>
      new Set(nodes.filter((_, at) => (accounts[at]!.buckets === 1) === isOne)).size;
    return ofBuckets(true) > 1 && ofBuckets(false) > 1;
  }

  async function disturb(kind: Disturbance, round: string): Promise<void> {
    const node = random.pick([...new Set(places.values())]);
    switch (kind) {
      case 'node killed':
        return whileDown(node, 'kill', round, async () => sleep(random.integer(0, 5000)));
      case 'node paused':
        return whileDown(node, 'pause', round, async () => sleep(random.integer(0, 5000)));
      case 'node killed, then a worker':
        return whileDown(node, 'kill', round, replaceWorker);
      case 'node killed, then an API':
        return whileDown(node, 'kill', round, replaceApi);
      case 'node restarted at once':
        await kill(node);
        return cluster.act('start', node);
      case 'worker':
        return replaceWorker();
      case 'api':
        return replaceApi();
      case 'coordinator killed':
        await kill(cluster.coordinator);
        await sleep(random.integer(0, 3000));
        return cluster.act('start', cluster.coordinator);
      case 'node and coordinator killed':
        await kill(node);
        await kill(cluster.coordinator);
        await sleep(random.integer(0, 3000));
        await cluster.act('start', cluster.coordinator);
        return cluster.act('start', node);
    }
  }

  async function kill(server: ClusterServer): Promise<void> {
    await cluster.act('kill', server);
    report.killed(server === cluster.coordinator ? 'coordinator' : 'node', 1);
  }

  async function replaceWorker(): Promise<void> {
    report.killed('worker', deployment.take('worker').kill() ? 1 : 0);
    await deployment.add('worker', 1);
  }

  async function replaceApi(): Promise<void> {
    // The new process takes over before the old one is killed, so that writers always have a URL.
    await deployment.add('api', 1);
    report.killed('api', deployment.take('api').kill() ? 1 : 0);
  }

  /** Disturbs a node, checks all accounts, does more, and lets the node continue. */
  async function whileDown(
    node: ClusterServer,
    action: 'kill' | 'pause',
    round: string,
    more: () => Promise<void>,
  ): Promise<void> {
    if (action === 'kill') await kill(node);
    else await cluster.act('pause', node);
    const own = load.accounts.filter((account) => places.get(account) === node);
    const others = load.accounts.filter((account) => places.get(account) !== node);
    report.check(`${round}: accounts of the node are refused`, (await Promise.all(own.map(refused))).flat());
    await more();
    report.check(`${round}: accounts of other nodes continue`, (await Promise.all(others.map(continues))).flat());
    await cluster.act(action === 'kill' ? 'start' : 'resume', node);
    report.check(`${round}: accounts of the node continue`, (await Promise.all(own.map(continues))).flat());
  }

  /** Checks that an account gets a 503 that says why. */
  async function refused({ accountId }: LoadedAccount): Promise<string[]> {
    const answered = until(
      'the account is refused',
      noticeLimit,
      async () => {
        const { status, body } = await answerFor(deployment.urls[0]!, accountId);
        return status === 503 && JSON.stringify(body).includes('server with the data of this account');
      },
      100,
    );
    return problemOf(answered, accountId);
  }

  /** Checks that requests of an account are accepted and applied from now on. */
  async function continues(account: LoadedAccount): Promise<string[]> {
    const { accountId } = account;
    const accepted = load.state.acceptedOf.get(accountId) ?? 0;
    const more = until(
      'requests are accepted',
      60_000,
      () => (load.state.acceptedOf.get(accountId) ?? 0) > accepted + 2,
    );
    const problems = await problemOf(more, accountId);
    const newest = await newestDone(accountId).catch(() => undefined);
    const applied = until(
      'requests are applied',
      60_000,
      async () => {
        const now = await newestDone(accountId).catch(() => newest);
        return now !== undefined && now !== newest;
      },
      100,
    );
    return [...problems, ...(await problemOf(applied, accountId))];
  }

  async function newestDone(accountId: number): Promise<unknown> {
    const { data } = await operator(deployment, 'GET', `/accounts/${accountId}/requests?status=done&limit=1`);
    return (data as { readonly request_id: string }[])[0]?.request_id;
  }
}

async function problemOf(work: Promise<unknown>, accountId: number): Promise<string[]> {
  return work.then(
    () => [],
    (error: Error) => [`account ${accountId}: ${error.message}`],
  );
}
