import type { AccountOperator, NewAttribute, OperatorAttribute } from '@roster/client';
import { attributeCategories, dataTypes, dataMaskings } from '@roster/contract';
import { given } from '#platform/given.ts';
import type { RosterCommand } from '../../terminal/command.ts';
import { CommandError, exitCodes } from '../../terminal/exit-codes.ts';
import { writeAll, writeRecord, writeRows, type Columns } from '../../terminal/records.ts';

interface DefinitionOptions {
  readonly type?: NewAttribute['data_type'];
  readonly category?: NewAttribute['category'];
  readonly masking?: NewAttribute['data_masking'];
  readonly default?: string;
  readonly mapping?: string;
}

const columns: Columns<Pick<OperatorAttribute, 'id' | 'name' | 'data_type' | 'category' | 'data_masking' | 'mapping'>> =
  {
    ATTRIBUTE: (one) => one.id,
    NAME: (one) => one.name,
    TYPE: (one) => one.data_type,
    CATEGORY: (one) => one.category,
    MASKING: (one) => one.data_masking,
    MAPPING: (one) => one.mapping,
  };

/** Adds `roster attributes`: the fields of contacts. */
export function addAttributeCommands(program: RosterCommand): void {
  const attributes = program.command('attributes').description('attributes of contacts');
  const onOne = (name: string) => attributes.command(name).argument('<attribute>', 'name or number of the attribute');
  const onSome = (name: string) =>
    attributes.command(name).argument('<attribute...>', 'names or numbers of attributes');

  attributes
    .command('list')
    .described('list the attributes with their indexes', 'roster attributes list')
    .onAccount(({ account, output }) =>
      writeAll<OperatorAttribute>(output, (page) => account.attributes.list(page), {
        ...columns,
        FILLED: (one) => one.filled,
        INDEX: (one) => one.index_status,
      }),
    );

  withType(attributes.command('search').argument('<text>', 'text in the name'))
    .described('find attributes by a part of their name', 'roster attributes search DATE --type date')
    .onAccount<Pick<DefinitionOptions, 'type'>, [string]>(async ({ account, output, options: { type } }, text) => {
      const condition_details = [
        { field: 'name', operation: 'contains', value: [text] },
        ...(type === undefined ? [] : [{ field: 'data_type', operation: 'equals', value: [type] }]),
      ];
      const found = await account.asApiKey.attributes.search({ filtering_criteria: [{ condition_details }] });
      await writeRows(output, found, columns);
    });

  onOne('show')
    .described('show an attribute', 'roster attributes show CITY')
    .onAccount<object, [string]>(async ({ account, output }, attribute) => {
      await writeRecord(output, await account.attributes.get(await numberOf(account, attribute)));
    });

  withDefinition(attributes.command('create').argument('<name>', 'name, such as LOYALTY_TIER'))
    .described('create an attribute', 'roster attributes create LOYALTY_TIER --type text --category custom')
    .onAccount<DefinitionOptions, [string]>(async ({ account, output, options }, name) => {
      if (options.type === undefined) throw new CommandError(exitCodes.usage, 'Choose the data type with --type.');
      const body = { name, data_type: options.type, ...definitionOf(options) };
      const { request_id: id } = await account.asApiKey.attributes.create([body]);
      await requireApplied(account, id);
      await output.result({ name, request_id: id }, () => `Created the attribute ${name}.`);
    });

  withDefinition(onOne('update'))
    .option('--new-name <name>', 'new name; values, segments and mappings stay')
    .described(
      'change an attribute; what has no option stays',
      'roster attributes update TIER --new-name LOYALTY_TIER --masking partial',
    )
    .onAccount<DefinitionOptions & { newName?: string }, [string]>(async ({ account, output, options }, attribute) => {
      const { type: data_type, newName: new_name } = options;
      const change = { ...given({ data_type, new_name }), ...definitionOf(options) };
      if (Object.keys(change).length === 0)
        throw new CommandError(exitCodes.usage, 'Use at least one option that changes something.');
      const reference = referenceOf(attribute);
      const named = typeof reference === 'number' ? { id: reference } : { name: reference };
      const [changed] = await account.asApiKey.attributes.update([{ ...named, ...change }]);
      await writeRecord(output, changed!);
    });

  onSome('delete')
    .confirmed()
    .described(
      'delete attributes with their values; attributes that are used somewhere are refused',
      'roster attributes delete LOYALTY_TIER --yes',
    )
    .onAccount<object, [string[]]>(async ({ account, output, confirm }, chosen) => {
      await confirm(`Delete ${chosen.join(', ')} with all values?`);
      const { request_id: id } = await account.asApiKey.attributes.delete(chosen.map(referenceOf));
      await requireApplied(account, id);
      await output.result({ attributes: chosen, request_id: id }, () => `Deleted ${chosen.join(', ')}.`);
    });

  onSome('usage')
    .described('show where attributes are used', 'roster attributes usage CITY LOYALTY_TIER')
    .onAccount<object, [string[]]>(async ({ account, output }, chosen) => {
      await writeRows(output, await account.asApiKey.attributes.usage(chosen.map(referenceOf)), {
        NAME: (one) => one.name,
        'CONTACTS WITH A VALUE': (one) => one.contacts_with_value,
        'USED BY': (one) => one.usage.map(({ feature, name }) => `${feature} ${name ?? ''}`.trim()).join(', '),
      });
    });

  onOne('values')
    .option('--contains <text>', 'only values with this text')
    .described('list the most frequent values of an attribute', 'roster attributes values CITY')
    .onAccount<{ contains?: string }, [string]>(async ({ account, output, options: { contains } }, attribute) => {
      const id = await numberOf(account, attribute);
      const { data, estimated } = await account.attributes.values(id, given({ contains }));
      await writeRows(output, data, { VALUE: ({ value }) => value, CONTACTS: ({ count }) => count });
      if (estimated && !output.json) await output.note('The numbers are estimated from a sample.');
    });

  onOne('index')
    .option('--remove', 'remove the index')
    .described(
      'make an index for filters and orders by an attribute; it is built in the background',
      'roster attributes index LOYALTY_TIER',
    )
    .onAccount<{ remove?: boolean }, [string]>(async ({ account, output, options }, attribute) => {
      const changed = await account.attributes.index(await numberOf(account, attribute), options.remove !== true);
      await output.result(changed, () => `The index of ${changed.name}: ${changed.index_status}.`);
    });
}

function withType(command: RosterCommand): RosterCommand {
  return command.choice('--type <type>', 'data type', dataTypes);
}

function withDefinition(command: RosterCommand): RosterCommand {
  withType(command).choice('--category <category>', 'category (default: custom)', attributeCategories);
  command.choice('--masking <masking>', 'how values are hidden (default: none)', dataMaskings);
  return command
    .option('--default <value>', 'value of new contacts; blank removes it')
    .option('--mapping <name>', 'system attribute whose name also reads and writes it; blank removes it');
}

function definitionOf({ category, masking: data_masking, default: value, mapping }: DefinitionOptions) {
  return given({ category, data_masking, default_value: blankToNull(value), mapping: blankToNull(mapping) });
}

function blankToNull(text: string | undefined): string | null | undefined {
  return text === '' ? null : text;
}

/** Digits are a number, everything else is a name: no name begins with a digit. */
function referenceOf(text: string): string | number {
  return /^\d+$/.test(text) ? Number(text) : text;
}

/** Returns the number of an attribute. Throws a {@link CommandError} for an unknown name. */
async function numberOf(account: AccountOperator, text: string): Promise<number> {
  const reference = referenceOf(text);
  if (typeof reference === 'number') return reference;
  for await (const { id, name } of account.attributes.list({ limit: 500 })) {
    if (name === reference.toUpperCase()) return id;
  }
  throw new CommandError(exitCodes.refused, `There is no attribute ${text} in account ${account.accountId}.`);
}

/** Waits for a change of attributes. Throws a {@link CommandError} with the reasons if it failed. */
async function requireApplied(account: AccountOperator, requestId: string): Promise<void> {
  const { failures } = await account.requests.wait(requestId);
  if (failures.length === 0) return;
  throw new CommandError(exitCodes.refused, failures.map(({ message }) => message).join('\n'));
}
