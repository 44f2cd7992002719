import { Client, type Reply } from './client.ts';
import type { OwnedContact } from './contact-model.ts';
import type { LoadedAccount } from './journal.ts';
import { nextPlan, type Plan } from './plan.ts';
import type { Random } from './random.ts';
import { isReady, isServed, type Target } from './target.ts';
import { until } from './wait.ts';

/** The state that all writers of a load share. */
export interface LoadState {
  readonly target: Target;
  /** Tells the writers to stop. A request under way is finished, including its repeats. */
  isStopping: boolean;
  accepted: number;
  /** The same for each account. */
  readonly acceptedOf: Map<number, number>;
  /** Requests that got no answer, 429 or 503. */
  unanswered: number;
  /** Repeats with the same Idempotency-Key that were answered with 200. */
  repeated: number;
  /** Answers that a client must never get. */
  readonly faults: string[];
}

const contactsPerWriter = 400;
// Milliseconds. Every restart of the service is faster, even with crash recovery of the database.
const patience = 60_000;

/**
 * One caller that sends requests for its own contacts, each after the previous one was answered.
 */
export class Writer {
  readonly name: string;
  readonly #account: LoadedAccount;
  readonly #load: LoadState;
  readonly #random: Random;
  readonly #contacts: OwnedContact[];
  #texts = 0;

  constructor(name: string, account: LoadedAccount, load: LoadState, random: Random) {
    this.name = name;
    this.#account = account;
    this.#load = load;
    this.#random = random;
    this.#contacts = Array.from({ length: contactsPerWriter }, (_, number) => ({
      identity: `${name}-${number}@example.com`,
      state: { exists: false, sequence: 0 },
      isUncertain: false,
      contactId: undefined,
    }));
    for (const contact of this.#contacts) account.journal.contacts.set(contact.identity, contact);
  }

  /** Sends requests until the load stops, or until unanswered requests name all contacts. */
  async run(): Promise<void> {
    using client = new Client();
    while (!this.#load.isStopping) {
      const plan = nextPlan({
        random: this.#random,
        contacts: this.#contacts.filter((contact) => !contact.isUncertain),
        lists: this.#account.lists,
        uniqueText: () => `${this.name}/${this.#texts++}`,
      });
      if (plan === undefined) return;
      await this.#carryOut(client, plan);
    }
  }

  /** Sends a request. After a failure it is repeated if that cannot apply it twice. */
  async #carryOut(client: Client, plan: Plan): Promise<void> {
    const { journal } = this.#account;
    for (let isLost = false; ;) {
      const reply = await this.#send(client, plan);
      const accepted = reply.kind === 'answered' && reply.status === 200 ? reply.body['request_id'] : undefined;
      if (typeof accepted === 'string') {
        this.#load.accepted++;
        const { accountId } = this.#account;
        this.#load.acceptedOf.set(accountId, (this.#load.acceptedOf.get(accountId) ?? 0) + 1);
        for (const [contact, { after }] of plan.changes) {
          contact.state = after;
          if (!after.exists) contact.contactId = undefined;
        }
        for (const marker of plan.markers) journal.markers.add(marker);
        journal.accepted.set(accepted, { plan, writer: this.name });
        if (plan.idempotencyKey !== undefined && this.#random.chance(0.2)) await this.#repeat(client, plan, accepted);
        return;
      }
      if (reply.kind !== 'unsent') {
        this.#load.unanswered++;
        isLost = true;
        // 429: while the database is paused, requests whose callers have given up are still open.
        const isExpected =
          reply.kind === 'lost' ? !reply.reason.startsWith('no answer') : [429, 503].includes(reply.status);
        if (!isExpected) this.#fault(plan, reply);
        // Without a key the request is not repeated. Whether it was applied is checked when the
        // pipeline is empty.
        if (plan.idempotencyKey === undefined) break;
      }
      await this.#waitUntilReady();
      if (this.#load.isStopping && !isLost) return;
    }
    for (const contact of plan.changes.keys()) contact.isUncertain = true;
    journal.unanswered.push(plan);
    await this.#waitUntilReady();
  }

  /**
   * Repeats an accepted request with its key. The answer must be the same, and nothing may change.
   */
  async #repeat(client: Client, plan: Plan, requestId: string): Promise<void> {
    const reply = await this.#send(client, plan);
    if (reply.kind !== 'answered' || reply.status === 503) return;
    if (reply.status !== 200 || reply.body['request_id'] !== requestId) this.#fault(plan, reply);
    this.#load.repeated++;
  }

  #send(client: Client, plan: Plan): Promise<Reply> {
    const url = `${this.#random.pick(this.#load.target.urls)}/v5${plan.path}`;
    const key = plan.idempotencyKey;
    const headers = { 'api-key': this.#account.apiKey, ...(key === undefined ? {} : { 'idempotency-key': key }) };
    return client.send('POST', url, headers, plan.body);
  }

  #fault(plan: Plan, reply: Reply): void {
    this.#load.faults.push(`${this.name} sent ${plan.path} and got ${JSON.stringify(reply)}`);
  }

  async #waitUntilReady(): Promise<void> {
    const { accountId } = this.#account;
    await until('the service answers again', patience, async () => {
      const url = this.#random.pick(this.#load.target.urls);
      // On a cluster, a service that is ready can be without the node of the account.
      return (await isReady(url)) && (await isServed(url, accountId));
    });
  }
}
