import type { SideAccount } from './side-account.ts';
import type { Chore } from './side-work.ts';

const recordsPerRequest = 50;
// One answer has up to 50,000 activities of a person.
const people = 50;

/**
 * Activities: each record is sent until it is accepted, and so perhaps twice. It must be stored
 * once.
 */
export class Activities implements Chore {
  readonly name = 'activities';
  readonly waiting = 0;
  done = 0;
  readonly #account: SideAccount;
  /** The time of all records of a run. A repeated record must have the same time. */
  readonly #moment = new Date();
  #number = 0;

  constructor(account: SideAccount) {
    this.#account = account;
  }

  /** Creates the contacts. The activity of a person without a contact is not shown. */
  async prepare(): Promise<void> {
    const contacts = Array.from({ length: people }, (_, number) => ({ identity: identityOf(number) }));
    await this.#account.sendUntilAnswered('POST', '/v5/contact/create', {
      data: { contact_type: 'identified', contacts },
    });
  }

  async step(): Promise<void> {
    const number = this.#number++;
    const data = Array.from({ length: recordsPerRequest }, (_, at) => ({
      identity: identityOf(number),
      channel: 'email',
      activity: 'sent',
      occurred_at: this.#moment.toISOString(),
      id: `${number}-${at}`,
    }));
    const reply = await this.#account.sendUntilAnswered(
      'POST',
      `/admin/v1/accounts/${this.#account.accountId}/activities`,
      {
        data,
      },
    );
    if (this.#account.succeeded('activities', reply)) this.done++;
  }

  async verify(): Promise<void> {
    for (let person = 0; person < people; person++) {
      const requests = Math.ceil((this.#number - person) / people);
      const expected = requests * recordsPerRequest;
      const seen = await this.#count(identityOf(person));
      if (seen !== expected)
        this.#account.problems.push(`activities: ${identityOf(person)} has ${seen} instead of ${expected}`);
    }
  }

  async #count(identity: string): Promise<number> {
    const day = this.#moment.toISOString().slice(0, 10).split('-').reverse().join('');
    const reply = await this.#account.sendUntilAnswered('POST', '/apiv2', {
      type: 'export_data',
      activity: 'get_user_channel_activity_data',
      apikey: this.#account.apiKey,
      data: { primary_key: identity, channel: 'email', from_date: day, to_date: day },
    });
    const result = reply.body['result'] as { channel_activity?: unknown[] };
    return result.channel_activity?.length ?? -1;
  }
}

const identityOf = (number: number): string => `active-${number % people}@example.com`;
