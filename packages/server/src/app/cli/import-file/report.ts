import type { Import } from '@roster/client';
import type { Command } from 'commander';
import { optionsOf, withOptionNames } from '../terminal/option-names.ts';
import { fields, type Output } from '../terminal/output.ts';

/** Formats the result of an import by a command as text. */
export function report(output: Output, command: Command, done: Import, failuresFile: string | undefined): string {
  const { import_id, status, dry_run, counts, failure, unknown_headers: unknown } = done;
  const count = (value: number): string => value.toLocaleString('en');
  return fields(output, {
    import_id,
    status: dry_run ? `${status} (dry run: nothing was written)` : status,
    rows: count(counts.total),
    created: count(counts.created),
    updated: count(counts.updated),
    unchanged: count(counts.unchanged),
    failed: count(counts.failed),
    ...(counts.warnings > 0 ? { 'values left out': count(counts.warnings) } : {}),
    ...(failure === null ? {} : { failure: withOptionNames(failure.message, optionsOf(command)) }),
    ...(unknown.length > 0 ? { 'unknown columns': unknown.join(', ') } : {}),
    ...(failuresFile === undefined ? {} : { failures: failuresFile }),
  });
}
