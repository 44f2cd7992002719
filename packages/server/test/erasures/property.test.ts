import fc from 'fast-check';
import { expect, test } from 'vitest';
import { cases, caseTimeout } from '../support/cases.ts';
import { forFile } from '../support/for-file.ts';
import { startTestService, type TestAccount } from '../support/service.ts';
import { record } from '../activities/support.ts';
import { erased, finished, idle, mentions } from './support.ts';

const service = await forFile(startTestService());
await forFile(service.startJobs());

/** A request about a person before the erasure. `tail` is appended to the values of the step. */
type Step =
  | { readonly do: 'upsert' | 'update' | 'rename' | 'address' | 'signUp' | 'delete'; readonly tail: string }
  | { readonly do: 'activity' | 'late'; readonly tail: string }
  | { readonly do: 'others' };

const tail = fc.oneof(fc.string({ maxLength: 12 }), fc.string({ maxLength: 12, unit: 'binary' })).map((text) =>
  // Replaces characters that the service refuses in every text.
  // oxlint-disable-next-line no-control-regex
  text.toWellFormed().replaceAll(/[\u0000\uFFFD]/g, '?'),
);
const step: fc.Arbitrary<Step> = fc.oneof(
  fc.record({
    do: fc.constantFrom('upsert', 'update', 'rename', 'address', 'signUp', 'activity', 'late', 'delete'),
    tail,
  }) as fc.Arbitrary<Step>,
  fc.constant<Step>({ do: 'others' }),
);

let persons = 0;

/** A person of an account, and the requests that a client sends about that person. */
class Person {
  readonly #mark = `zq${persons++}x`;
  #values = 0;
  #identity = '';
  #former = '';
  email = '';
  readonly account: TestAccount;

  constructor(account: TestAccount) {
    this.account = account;
  }

  /** Every stored value of the person contains this text. */
  get mark(): string {
    return this.#mark;
  }

  #value(end = ''): string {
    return `${this.#mark}${this.#values++}q${end}`;
  }

  async create(primaryKey: string): Promise<void> {
    this.email = `${this.#value()}@example.com`;
    this.#identity = primaryKey === 'EMAIL' ? this.email : this.#value();
    await this.#send('/contact/create', { identity: this.#identity, email: this.email }, 'identified');
  }

  async run(next: Step, primaryKey: string): Promise<void> {
    const end = 'tail' in next ? next.tail : '';
    const attributes = { FIRST_NAME: this.#value(end), NOT_THERE: this.#value(end) };
    const identity = this.#identity;
    switch (next.do) {
      case 'upsert':
        return this.#send('/contact/create', { identity, attributes }, 'identified');
      case 'update':
        return this.#send('/contact/update', { email: this.email, attributes });
      case 'rename':
        this.#former = identity;
        this.#identity = primaryKey === 'EMAIL' ? `${this.#value()}@example.com` : this.#value(end).trim();
        await this.#send('/contact/update', { contact_id: await this.id(identity), identity: this.#identity });
        if (primaryKey === 'EMAIL') this.email = this.#identity;
        return undefined;
      case 'address':
        if (primaryKey === 'EMAIL') return undefined;
        this.email = `${this.#value()}@example.com`;
        return this.#send('/contact/update', { identity, email: this.email });
      case 'signUp': {
        const body = { email: this.email, identity, attributes: { FIRST_NAME: this.#value(end) } };
        const answer = await this.account.operator('POST', '/sign-ups', body);
        if (![201, 429].includes(answer.status)) throw new Error(JSON.stringify(answer.body));
        return undefined;
      }
      case 'activity':
      case 'late': {
        const of = next.do === 'late' && this.#former !== '' ? this.#former : identity;
        const one = record({ identity: of, activity: 'click', link: this.#value(end), msg_name: this.#value() });
        const data = [record({ identity: 'other@example.org' }), one];
        expect((await this.account.operator('POST', '/activities', { data })).status).toBe(200);
        return undefined;
      }
      case 'delete':
        return this.#send('/contact/delete', { identity, audience_details: [{ audience_id: [1] }] });
      case 'others':
        return this.#send(
          '/contact/create',
          { identity: 'other@example.org', attributes: { CITY: 'Pune' } },
          'identified',
        );
    }
  }

  async id(identity = this.#identity): Promise<number> {
    await service.settled();
    const [row] = await this.account.rows({
      filtering_criteria: [{ condition_details: [{ field: 'identity', operation: 'equals', value: identity }] }],
      output: { fields: ['contact_id'] },
    });
    return row!['contact_id'] as number;
  }

  async #send(path: string, contact: object, type?: string): Promise<void> {
    const others = path.endsWith('delete')
      ? { identity: 'third@example.org', audience_details: [{ audience_id: [1] }] }
      : { identity: 'third@example.org', attributes: { CITY: 'Ulm' } };
    const data = {
      ...(type === undefined ? {} : { contact_type: type }),
      contacts: [others, contact],
    };
    const answer = await this.account.v5(path, { data });
    expect(answer.status, JSON.stringify(answer.body)).toBe(200);
  }
}

test.each(['EMAIL', 'CUSTOMER_ID'])(
  'after an erasure no table has any value of the person, whatever was stored before (primary key %s)',
  async (primaryKey) => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 12 }), async (steps) => {
        const account = await service.createAccount({ name: 'Keyed', primary_key: primaryKey });
        const person = new Person(account);
        await person.create(primaryKey);
        for (const next of steps) await person.run(next, primaryKey);
        const id = await person.id();
        expect(await mentions(service, account, [person.mark])).not.toEqual([]);
        await finished(account, (await erased(account, id)).request_id);
        // Later requests about the person are refused and not kept.
        await person.run({ do: 'upsert', tail: '' }, primaryKey);
        await person.run({ do: 'activity', tail: '' }, primaryKey);
        await service.settled();
        await idle(service);
        expect(await mentions(service, account, [person.mark])).toEqual([]);
        const others = await account.rows({ output: { fields: ['identity'] } });
        expect(others.map((row) => row['identity'])).toContain('third@example.org');
      }),
      { numRuns: cases(6) },
    );
  },
  caseTimeout,
);
