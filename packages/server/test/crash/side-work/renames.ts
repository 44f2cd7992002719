import type { SideAccount } from './side-account.ts';
import type { Chore } from './side-work.ts';

const identity = 'painted@example.com';

/**
 * Renames of an attribute: at any time it has exactly one of two names, and its value is found
 * under this name.
 */
export class Renames implements Chore {
  readonly name = 'renames';
  readonly waiting = 0;
  done = 0;
  readonly #account: SideAccount;
  #current = 'COLOR_0';
  #number = 0;

  constructor(account: SideAccount) {
    this.#account = account;
  }

  /** Creates the attribute by its first value. */
  async prepare(): Promise<void> {
    const contacts = [{ identity, attributes: { [this.#current]: 'red' } }];
    await this.#account.sendUntilAnswered('POST', '/v5/contact/create', {
      data: { contact_type: 'identified', contacts },
    });
  }

  async step(): Promise<void> {
    const next = `COLOR_${++this.#number}`;
    const body = { data: [{ name: this.#current, new_name: next }] };
    const reply = await this.#account.attempt('POST', '/v5/client/attribute/update', body);
    const isDone = reply.kind === 'answered' && reply.status === 200;
    if (reply.kind === 'answered' && !isDone && reply.status !== 503 && reply.status !== 429) {
      this.#account.succeeded('a rename', reply);
    }
    // An unanswered rename may wait in the queue and be applied later.
    if (!isDone) await this.#account.waitUntilApplied();
    const names = await this.#names();
    // An unsuccessful rename may have been applied nevertheless.
    const allowed = isDone ? [next] : [this.#current, next];
    if (names.length !== 1 || !allowed.includes(names[0]!)) {
      this.#account.problems.push(
        `renames: after ${this.#current} to ${next} (${JSON.stringify(reply).slice(0, 200)}) there are ${names.join(', ') || 'none'}`,
      );
    }
    this.#current = names[0] ?? this.#current;
    if (isDone) this.done++;
    await this.verify();
  }

  async verify(): Promise<void> {
    const condition = { field: this.#current, operation: 'equals', value: ['red'] };
    const { body } = await this.#account.sendUntilAnswered('POST', '/v5/contact/search', {
      filtering_criteria: [{ condition_details: [condition] }],
      output: { fields: ['identity', this.#current] },
    });
    const rows = (body['data'] ?? []) as Record<string, unknown>[];
    if (rows.length !== 1 || rows[0]![this.#current] !== 'red') {
      this.#account.problems.push(
        `renames: the value under ${this.#current} is not found: ${JSON.stringify(body).slice(0, 300)}`,
      );
    }
  }

  async #names(): Promise<string[]> {
    const condition = { field: 'name', operation: 'contains', value: ['COLOR_'] };
    const { body } = await this.#account.sendUntilAnswered('POST', '/v5/client/attribute/search', {
      filtering_criteria: [{ condition_details: [condition] }],
    });
    return (body['data'] as { name: string }[]).map(({ name }) => name);
  }
}
