import type { CallbackReceiver } from './callbacks.ts';
import type { SideAccount } from './side-account.ts';
import type { Chore } from './side-work.ts';

const contactsPerBatch = 20;

/** Batch adds (v3): each must be applied once, and its callback must have the right counts. */
export class BatchAdds implements Chore {
  readonly name = 'batch adds';
  done = 0;
  readonly #account: SideAccount;
  readonly #callbacks: CallbackReceiver;
  readonly #open = new Map<string, string>();
  #number = 0;

  constructor(account: SideAccount, callbacks: CallbackReceiver) {
    this.#account = account;
    this.#callbacks = callbacks;
  }

  async step(): Promise<void> {
    const number = ++this.#number;
    const path = `/batch/${number}`;
    const reply = await this.#account.sendWithKeyUntilAnswered('/v3/contact/batchadd', `batch-${number}`, {
      listid: this.#account.lists.batches,
      primarykey: 'email',
      notifyemail: 'side@example.com',
      callbackurl: this.#callbacks.url(path),
      data: Array.from({ length: contactsPerBatch }, (_, at) => ({
        EMAIL: `batch-${number}-${at}@example.com`,
        NUMBER: number,
      })),
    });
    if (this.#account.succeeded('a batch add', reply)) this.#open.set(path, reply.body['message'] as string);
    this.#close();
  }

  get waiting(): number {
    this.#close();
    return this.#open.size;
  }

  async verify(): Promise<void> {
    const list = `/admin/v1/accounts/${this.#account.accountId}/lists/${this.#account.lists.batches}`;
    const { body } = await this.#account.sendUntilAnswered('GET', list);
    const expected = this.done * contactsPerBatch;
    if (body['member_count'] !== expected) {
      this.#account.problems.push(
        `batch adds: the list has ${String(body['member_count'])} members instead of ${expected}`,
      );
    }
    const mails = await this.#account.sendUntilAnswered(
      'GET',
      `/admin/v1/accounts/${this.#account.accountId}/mails?limit=500`,
    );
    const count = (mails.body['data'] as unknown[]).length;
    if (this.done <= 400 && count !== this.done)
      this.#account.problems.push(`batch adds: ${count} mails for ${this.done} batches`);
  }

  /** Checks the callbacks that have arrived. */
  #close(): void {
    for (const [path, job] of this.#open) {
      const bodies = this.#callbacks.received(path);
      if (bodies.length === 0) continue;
      this.#open.delete(path);
      this.done++;
      const expected = {
        job_id: job,
        status: 'completed',
        total: contactsPerBatch,
        created: contactsPerBatch,
        failed: 0,
      };
      const isRight = bodies.every((body) => Object.entries(expected).every(([key, value]) => body[key] === value));
      if (!isRight)
        this.#account.problems.push(`batch adds: the callback of ${job} says ${JSON.stringify(bodies).slice(0, 400)}`);
    }
  }
}
