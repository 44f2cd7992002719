import { stringify } from 'csv-stringify/sync';
import type { AccountOperator, CreateImportBody } from '@roster/client';
import type { Person } from './people.ts';

/** The lists of the demo, in the order of {@link Person.lists}. */
export const listNames = ['Newsletter', 'Offers by SMS', 'Regular customers'] as const;

/** The columns of the file of customers, and the values of a person. */
const columns: readonly (readonly [header: string, valueOf: (person: Person) => unknown])[] = [
  ['E-mail address', ({ identity }) => identity],
  ['Mobile', ({ mobile }) => mobile],
  ...[
    'First name',
    'Last name',
    'Gender',
    'Birth date',
    'City',
    'Country',
    'Language',
    'Time zone',
    'Loyalty tier',
    'Orders',
    'Lifetime value',
    'Last visit at',
    'Last order on',
  ].map((header) => {
    const attribute = header.toUpperCase().replaceAll(' ', '_');
    return [header, ({ attributes }: Person) => attributes[attribute]] as const;
  }),
  ['Lists', ({ lists }) => lists.map((at) => listNames[at]).join(';')],
  ['Customer since', ({ joinedAt }) => new Date(joinedAt).toISOString()],
];

const mapping: CreateImportBody = {
  file_name: 'customers.csv',
  columns: {
    'E-mail address': 'EMAIL',
    Lists: { list_names: true, separator: ';' },
    'Customer since': 'CREATED_AT',
  },
};

/**
 * Imports people as a file, with the dates on which they signed up. Calls `report` with the
 * progress.
 */
export async function importCustomers(
  account: AccountOperator,
  people: readonly Person[],
  report: (text: string) => void,
): Promise<void> {
  const { import_id: id } = await account.imports.create(mapping);
  await account.imports.send(id, csvOf(people));
  await account.imports.wait(id, {
    onProgress: ({ counts }) => counts.total > 0 && report(`${counts.total.toLocaleString('en')} contacts`),
  });
}

async function* csvOf(people: readonly Person[]): AsyncGenerator<Uint8Array> {
  const encoder = new TextEncoder();
  yield encoder.encode(stringify([columns.map(([header]) => header)]));
  for (let from = 0; from < people.length; from += 1000) {
    const rows = people.slice(from, from + 1000).map((person) => columns.map(([, valueOf]) => valueOf(person)));
    yield encoder.encode(stringify(rows));
  }
}
