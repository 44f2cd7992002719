import type { CallbackReceiver } from './callbacks.ts';
import type { SideAccount } from './side-account.ts';
import type { Chore } from './side-work.ts';

const members = 800;
/** How many exports may wait. More would only wait in the service. */
const maxOpen = 4;

/** The error of an export without space for its file. */
const noSpace = 'The file store has no space left for the file. An operator must free some.';

/**
 * Exports with callbacks: each has a callback with the status `completed`, and a file with exactly
 * the members of its list. On a disk that is filled, it can also have failed for want of space.
 */
export class Exports implements Chore {
  readonly name = 'exports';
  done = 0;
  readonly #account: SideAccount;
  readonly #callbacks: CallbackReceiver;
  readonly #fillsDisk: boolean;
  readonly #open = new Map<string, string>();
  #number = 0;

  constructor(account: SideAccount, callbacks: CallbackReceiver, fillsDisk: boolean) {
    this.#account = account;
    this.#callbacks = callbacks;
    this.#fillsDisk = fillsDisk;
  }

  /** Creates the exported list. Nothing changes it afterwards. */
  async prepare(): Promise<void> {
    const contacts = identities.map((identity) => ({
      identity,
      audience_details: [{ audience_id: [this.#account.lists.exports], audience_type: 'list' }],
    }));
    await this.#account.sendUntilAnswered('POST', '/v5/contact/create', {
      data: { contact_type: 'identified', contacts },
    });
  }

  async step(): Promise<void> {
    await this.collect();
    if (this.#open.size >= maxOpen) return;
    const number = ++this.#number;
    const path = `/export/${number}`;
    const reply = await this.#account.sendWithKeyUntilAnswered('/v4/audience/export', `export-${number}`, {
      audience_details: {
        audience_type: 'list',
        audience_id: this.#account.lists.exports,
        attributes_needed: ['EMAIL'],
      },
      callback_details: { endpoint: this.#callbacks.url(path), header: [], body: { number } },
    });
    if (!this.#account.succeeded('an export', reply)) return;
    this.#open.set(path, (reply.body['data'] as { request_id: string }).request_id);
  }

  get waiting(): number {
    return this.#open.size;
  }

  /** The files were compared one by one before, so only the rest is collected. */
  async verify(): Promise<void> {
    await this.collect();
  }

  async collect(): Promise<void> {
    for (const [path, requestId] of this.#open) {
      const [body] = this.#callbacks.received(path);
      if (body === undefined) continue;
      this.#open.delete(path);
      this.done++;
      if (this.#fillsDisk && body['status'] === 'failed' && body['error'] === noSpace) continue;
      const isRight =
        body['request_id'] === requestId && body['status'] === 'completed' && body['row_count'] === members;
      if (!isRight) {
        this.#account.problems.push(`exports: the callback of ${requestId} says ${JSON.stringify(body).slice(0, 400)}`);
        continue;
      }
      const { pathname, search } = new URL(String(body['file_url']));
      const file = await this.#account.sendUntilAnswered('GET', `${pathname}${search}`);
      if (file.body['unreadable'] !== expectedFile)
        this.#account.problems.push(`exports: the file of ${requestId} is not its list`);
    }
  }
}

const identities = Array.from({ length: members }, (_, number) => `member-${number}@example.com`);

const expectedFile = ['EMAIL', ...identities, ''].join('\r\n');
