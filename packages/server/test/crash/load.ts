import { createJournal, type LoadedAccount } from './journal.ts';
import { newestRequest, waitUntilDrained } from './request-log.ts';
import type { Random } from './random.ts';
import { call, firstApiKey, operator, type Target } from './target.ts';
import { until } from './wait.ts';
import { Writer, type LoadState } from './writer.ts';

/** Several writers that send requests to a service at the same time. */
export class Load {
  readonly accounts: readonly LoadedAccount[];
  readonly state: LoadState;
  readonly #writers: readonly Writer[];
  #running: Promise<void> = Promise.resolve();
  #failure: Error | undefined;

  private constructor(target: Target, accounts: readonly LoadedAccount[], writers: number, random: Random) {
    this.accounts = accounts;
    this.state = {
      target,
      isStopping: false,
      accepted: 0,
      acceptedOf: new Map(),
      unanswered: 0,
      repeated: 0,
      faults: [],
    };
    this.#writers = Array.from(
      { length: writers },
      (_, at) => new Writer(`w${at}`, accounts[at % accounts.length]!, this.state, random.fork()),
    );
  }

  /**
   * Creates the accounts, lists and attributes that the writers need: at least `accounts`, and more
   * until `isEnough`.
   */
  static async prepare(
    target: Target,
    options: {
      readonly accounts: number;
      readonly writers: number;
      readonly random: Random;
      readonly isEnough?: (accounts: readonly LoadedAccount[]) => Promise<boolean>;
    },
  ): Promise<Load> {
    const accounts: LoadedAccount[] = [];
    const { isEnough = async () => true } = options;
    while (accounts.length < options.accounts || !(await isEnough(accounts))) {
      accounts.push(await prepareAccount(target, accounts.length + 1));
    }
    return new Load(target, accounts, options.writers, options.random);
  }

  /** The number of writers. */
  get writers(): number {
    return this.#writers.length;
  }

  /** Starts the writers, or lets them continue with what they know. */
  start(): void {
    this.state.isStopping = false;
    this.#running = Promise.all(this.#writers.map((writer) => writer.run())).then(() => undefined);
    this.#running.catch((error: Error) => (this.#failure = error));
  }

  /** Resolves when this many more requests were accepted. */
  async accepts(more: number): Promise<void> {
    const goal = this.state.accepted + more;
    await until(
      `${more} more requests are accepted`,
      60_000,
      () => {
        if (this.#failure !== undefined) throw this.#failure;
        return this.state.accepted >= goal;
      },
      2,
    );
  }

  /** Stops the writers, and waits until their last requests are finished. */
  async stop(): Promise<void> {
    this.state.isStopping = true;
    await this.#running;
  }
}

/**
 * The first account was created by the first start of the service. Other accounts are created here.
 */
async function prepareAccount(target: Target, number: number): Promise<LoadedAccount> {
  // The requests of every second account are applied in several lanes.
  const buckets = number % 2 === 0 ? 16 : 1;
  const settings = { auto_create_attributes: true, rate_limit: 0, buckets };
  let account = { account_id: 1, api_key: firstApiKey };
  if (number > 1) {
    const created = await operator(target, 'POST', '/accounts', { name: `Account ${number}` });
    account = created as typeof account;
  }
  const accountId = account.account_id;
  await operator(target, 'PATCH', `/accounts/${accountId}`, { settings });
  const lists: number[] = [];
  for (const name of ['First list', 'Second list']) {
    const list = await operator(target, 'POST', `/accounts/${accountId}/lists`, { name });
    lists.push(list['audience_id'] as number);
  }
  // Creates the attributes by their first values. An unknown attribute with null would be a
  // warning, and the writers expect none.
  const attributes = { SEQ: 1, NOTE: 'text', EXTRA: 'text', MARK: 'text' };
  const identity = 'probe@example.com';
  const url = `${target.urls[0]}/v5/contact`;
  const headers = { 'api-key': account.api_key };
  await call('POST', `${url}/create`, headers, {
    data: { contact_type: 'identified', contacts: [{ identity, attributes }] },
  });
  await call('POST', `${url}/delete`, headers, { data: { contacts: [{ identity }] } });
  await waitUntilDrained(target, [accountId]);
  const journal = createJournal();
  journal.lastLogged = await newestRequest(target, accountId);
  return { accountId, apiKey: account.api_key, lists: [lists[0]!, lists[1]!], buckets, journal };
}
