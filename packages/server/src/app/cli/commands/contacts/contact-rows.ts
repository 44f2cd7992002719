import type { AccountOperator, AudienceSearch, ContactRow, ContactSearch } from '@roster/client';
import type { AccountCall, RosterCommand } from '../../terminal/command.ts';
import { CommandError, exitCodes } from '../../terminal/exit-codes.ts';
import type { Cell } from '../../terminal/output.ts';
import { writeListing, type LimitOptions } from '../../terminal/records.ts';

/** Options of commands that list contacts. */
export interface SearchOptions extends LimitOptions {
  readonly fields?: readonly string[];
  readonly sort?: string;
}

const defaultFields = ['contact_id', 'identity', 'email', 'mobile', 'contact_type', 'created_at'];

/** Adds the options for the fields and the order of contacts. */
export function withFields(command: RosterCommand): RosterCommand {
  return command
    .option(
      '--fields <names>',
      `fields and attributes, separated by commas (default: ${defaultFields.join(',')})`,
      names,
    )
    .option('--sort <field>', 'order by this field; field:desc for the other direction (default: newest first)');
}

/** Reads names that are separated by commas. */
export function names(text: string): string[] {
  return text
    .split(',')
    .map((name) => name.trim())
    .filter((name) => name !== '');
}

/** Writes the contacts that match a search, in an audience if there is one. */
export async function writeContacts(
  { account, output, options }: AccountCall<SearchOptions>,
  search: ContactSearch,
  audience?: Pick<AudienceSearch, 'audience_type' | 'audience_id'>,
): Promise<void> {
  const fields = options.fields ?? search.output?.fields ?? defaultFields;
  const sorting = options.sort === undefined ? search.output?.sorting : [sortingOf(options.sort)];
  const { contacts } = account.asApiKey;
  const columns = Object.fromEntries(fields.map((name) => [name, (row: ContactRow) => cellOf(row[name])]));
  await writeListing(
    output,
    options,
    (pagination) => {
      const body = { ...search, output: { fields, pagination, ...(sorting === undefined ? {} : { sorting }) } };
      return audience === undefined ? contacts.search(body) : contacts.searchAudience({ ...body, ...audience });
    },
    columns,
  );
}

function cellOf(value: ContactRow[string] | undefined): Cell {
  return typeof value === 'object' && value !== null ? value.join(', ') : value;
}

function sortingOf(text: string) {
  const [, field, direction = 'asc'] = /^(.*?)(?::(asc|desc))?$/i.exec(text)!;
  return { field: field!, direction: direction.toLowerCase() as 'asc' | 'desc' };
}

/** The description of an argument that names a contact. */
export const contactArgument = 'contact_id, identity, e-mail address or mobile number';

/**
 * Returns the `contact_id` of the contact that has a value as its id, identity, e-mail address or
 * mobile number. Throws a {@link CommandError} if there is none, or if there are several.
 */
export async function findContact(account: AccountOperator, text: string): Promise<number> {
  const { data } = await account.contacts.find(text);
  const ids = [...new Set(data.filter(({ exact }) => exact).map(({ contact_id: id }) => id))];
  if (ids.length === 1) return ids[0]!;
  throw new CommandError(
    exitCodes.refused,
    ids.length === 0
      ? `There is no contact ${text} in account ${account.accountId}. Find it with: roster contacts search`
      : `Several contacts have the value ${text}. Name one by its contact_id: ${ids.join(', ')}.`,
  );
}
