import {
  importBlankCells,
  importDelimiters,
  importEncodings,
  importFormats,
  importFormulaGuards,
  importModes,
  importUnknownColumns,
} from '@roster/contract';
import { InvalidArgumentError, Option, type Command } from 'commander';
import { runImport } from '../import-file/run.ts';
import { positiveInteger, withAccount } from '../terminal/session.ts';
import type { ImportOptions } from '../import-file/options.ts';
import type { Terminal } from '../terminal/terminal.ts';

/** `roster import`: a file of contacts into an account. */
export function addImportCommand(program: Command, terminal: Terminal): void {
  const choice = (flags: string, text: string, choices: readonly string[]): Option =>
    new Option(flags, text).choices(choices);
  withAccount(
    program.command('import').argument('[file]', 'CSV or NDJSON, also with gzip; - or nothing: standard input'),
  )
    .description('import contacts from a file')
    .option('--list <audience_id>', 'list that the contacts are added to (repeatable)', readList)
    .addOption(choice('--mode <mode>', 'what a row does (default: upsert)', importModes))
    .addOption(choice('--blank-cells <what>', 'what an empty cell does (default: leave)', importBlankCells))
    .option('--column <header=field>', 'what a column means; header= leaves it out (repeatable)', readColumn)
    .addOption(choice('--unknown-columns <what>', 'what becomes of the others (default: refuse)', importUnknownColumns))
    .addOption(choice('--format <format>', 'format of the file (default: what it looks like)', importFormats))
    .addOption(
      choice('--encoding <encoding>', 'encoding of the file (default: utf-8, or as its mark says)', importEncodings),
    )
    .addOption(
      choice('--delimiter <delimiter>', 'what separates cells (default: what it looks like)', importDelimiters),
    )
    .addOption(
      choice(
        '--formula-guard <what>',
        'what becomes of apostrophes before formulas (default: auto)',
        importFormulaGuards,
      ),
    )
    .option('--dry-run', 'check everything and write nothing')
    .option('--failures <file>', 'where the rows that failed go, as CSV')
    .option('--no-wait', 'end once the file is sent')
    .addOption(
      new Option(
        '--resume <import_id>',
        'go on with an import that was begun before: wait for it, or send the rest of the file',
      ).conflicts(creating),
    )
    .addHelpText(
      'after',
      `
Examples:
  roster import customers.csv --list 3 --failures failed.csv
  roster import customers.csv --column "E-mail address=EMAIL" --column "Remarks=" --dry-run
  zcat crm.ndjson.gz | roster import --format ndjson --mode update --unknown-columns create`,
    )
    .action((file: string | undefined, options: ImportOptions, command: Command) =>
      runImport(terminal, file, options, command),
    );
}

/** Options that say how a new import is made. */
const creating: (keyof ImportOptions)[] = [
  'list',
  'mode',
  'blankCells',
  'column',
  'unknownColumns',
  'format',
  'encoding',
  'delimiter',
  'formulaGuard',
  'dryRun',
];

function readList(text: string, before: readonly number[] = []): readonly number[] {
  return [...before, positiveInteger(text)];
}

function readColumn(
  text: string,
  before: Readonly<Record<string, string | null>> = {},
): Readonly<Record<string, string | null>> {
  // A header can have an equals sign, a field cannot.
  const at = text.lastIndexOf('=');
  if (at < 1) throw new InvalidArgumentError('It must be a header, = and a field or nothing, such as "E-mail=EMAIL".');
  const field = text.slice(at + 1).trim();
  return { ...before, [text.slice(0, at)]: field === '' ? null : field };
}
