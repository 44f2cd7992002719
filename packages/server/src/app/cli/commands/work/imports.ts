import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { Import } from '@roster/client';
import { importStatuses } from '@roster/contract';
import { given } from '#platform/given.ts';
import type { RosterCommand } from '../../terminal/command.ts';
import { writeListing, writeRecord, type LimitOptions } from '../../terminal/records.ts';

interface FilterOptions extends LimitOptions {
  readonly status?: Import['status'];
}

/** Adds `roster imports`: the imports of an account. `roster import` makes one. */
export function addImportsCommands(program: RosterCommand): void {
  const { terminal } = program;
  const imports = program.command('imports').description('imports of an account; `roster import` makes one');
  const onOne = (name: string) => imports.command(name).argument('<import_id>', 'identifier of the import');

  imports
    .command('list')
    .limited()
    .choice('--status <status>', 'only imports of this status', importStatuses)
    .described('list the newest imports', 'roster imports list --status running')
    .onAccount<FilterOptions>(({ account, output, options: { limit, status } }) =>
      writeListing(output, given({ limit }), (page) => account.imports.list({ ...page, ...given({ status }) }), {
        IMPORT: (one) => one.import_id,
        FILE: (one) => one.file_name,
        STATUS: (one) => one.status,
        ROWS: (one) => one.counts.total,
        FAILED: (one) => one.counts.failed,
        CREATED: (one) => one.created_at,
      }),
    );

  onOne('show')
    .described('show an import', 'roster imports show 019a9d3e-7c1b-7f3a-9b52-2f3c8b1d0a11')
    .onAccount<object, [string]>(async ({ account, output }, id) => {
      const { columns, given_columns: given_, ...found } = await account.imports.get(id);
      await writeRecord(output, output.json ? { ...found, columns, given_columns: given_ } : found);
    });

  onOne('cancel')
    .described(
      'cancel an import; rows that are applied stay',
      'roster imports cancel 019a9d3e-7c1b-7f3a-9b52-2f3c8b1d0a11',
    )
    .onAccount<object, [string]>(async ({ account, output }, id) => {
      const cancelled = await account.imports.cancel(id);
      await output.result(cancelled, () => `The import is ${cancelled.status}.`);
    });

  onOne('failures')
    .limited()
    .option('--csv', 'write the file of failed rows, to fix them and import again')
    .described(
      'list the rows that failed',
      'roster imports failures 019a9d3e-7c1b-7f3a-9b52-2f3c8b1d0a11 --csv > failed.csv',
    )
    .onAccount<LimitOptions & { csv?: boolean }, [string]>(async ({ account, output, options }, id) => {
      if (options.csv === true) {
        const rows = Readable.from(await account.imports.failures(id));
        return await pipeline(rows, terminal.stdout, { end: false });
      }
      await writeListing(output, options, (page) => account.imports.failedRows(id, page), {
        LINE: (one) => one.line,
        CODE: (one) => one.code,
        COLUMN: (one) => one.column,
        REASON: (one) => one.message,
      });
    });
}
