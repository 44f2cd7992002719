import {
  importBlankCells,
  importDelimiters,
  importEncodings,
  importFormats,
  importFormulaGuards,
  importModes,
  importPresetIds,
  importUnknownColumns,
  optOutChannels,
} from '@roster/contract';
import { InvalidArgumentError, Option } from 'commander';
import { runImport } from '../import-file/run.ts';
import type { RosterCommand } from '../terminal/command.ts';
import { positiveIntegers, withAccount } from '../terminal/session.ts';
import type { ImportOptions } from '../import-file/options.ts';

/** Adds `roster import`, which imports a file of contacts into an account. */
export function addImportCommand(program: RosterCommand): void {
  const { terminal } = program;
  const choice = (flags: string, text: string, choices: readonly string[]): Option =>
    new Option(flags, text).choices(choices);
  withAccount(
    program
      .command('import')
      .argument('[file]', 'CSV or NDJSON file, plain or compressed with gzip; standard input if absent or -'),
  )
    .description('import contacts from a file')
    .option('--list <audience_id>', 'list to which the contacts are added (repeatable)', positiveIntegers)
    .addOption(choice('--mode <mode>', 'how a row is applied (default: upsert)', importModes))
    .addOption(
      choice(
        '--blank-cells <what>',
        'what to do with the old value if a cell is empty (default: leave)',
        importBlankCells,
      ),
    )
    .option(
      '--column <header=field>',
      'map a column to a field or attribute; header= skips the column (repeatable)',
      readColumn,
    )
    .addOption(
      choice('--unknown-columns <what>', 'what to do with unknown columns (default: refuse)', importUnknownColumns),
    )
    .addOption(choice('--preset <program>', 'program that wrote the file (docs/moving-in)', importPresetIds))
    .addOption(choice('--opt-out <channel...>', 'opt every contact of the file out of these channels', optOutChannels))
    .option('--mapping-of <import_id>', 'copy the mapping of an earlier import of the account')
    .addOption(choice('--format <format>', 'format of the file (default: detected)', importFormats))
    .addOption(
      choice('--encoding <encoding>', 'encoding of the file (default: its byte order mark, or utf-8)', importEncodings),
    )
    .addOption(choice('--delimiter <delimiter>', 'separator of the cells (default: detected)', importDelimiters))
    .addOption(
      choice(
        '--formula-guard <what>',
        'what to do with an apostrophe before a formula (default: auto)',
        importFormulaGuards,
      ),
    )
    .option('--source-url <url>', 'let the service fetch the file from this HTTPS URL, instead of sending a file')
    .option('--notify-email <address>', 'e-mail address that gets a mail when the import has ended')
    .option('--dry-run', 'check the whole file, but write nothing')
    .option('--failures <file>', 'write the rows that failed to this CSV file')
    .option('--no-wait', 'exit when the file is sent; do not wait for the import')
    .addOption(
      new Option(
        '--resume <import_id>',
        'continue an earlier import: wait for it, or send the rest of the file',
      ).conflicts(creating),
    )
    .addHelpText(
      'after',
      `
Examples:
  roster import customers.csv --list 3 --failures failed.csv
  roster import customers.csv --column "E-mail address=EMAIL" --column "Remarks=" --dry-run
  roster import subscribed_members_export.csv --preset mailchimp
  roster import --source-url https://files.example.com/customers.csv --notify-email asha@example.com
  zcat crm.ndjson.gz | roster import --format ndjson --mode update --unknown-columns create`,
    )
    .action((file: string | undefined, options: ImportOptions, command: RosterCommand) =>
      runImport(terminal, file, options, command),
    );
}

/** Options of a new import. They cannot be combined with `--resume`. */
const creating: (keyof ImportOptions)[] = [
  'list',
  'mode',
  'blankCells',
  'column',
  'unknownColumns',
  'preset',
  'optOut',
  'mappingOf',
  'format',
  'encoding',
  'delimiter',
  'formulaGuard',
  'dryRun',
  'sourceUrl',
  'notifyEmail',
];

function readColumn(
  text: string,
  before: Readonly<Record<string, string | null>> = {},
): Readonly<Record<string, string | null>> {
  // A header can contain an equals sign; a field cannot.
  const at = text.lastIndexOf('=');
  if (at < 1) throw new InvalidArgumentError('It must be <header>=<field>, such as "E-mail=EMAIL", or <header>=.');
  const field = text.slice(at + 1).trim();
  return { ...before, [text.slice(0, at)]: field === '' ? null : field };
}
