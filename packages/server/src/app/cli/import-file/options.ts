import type { CreateImportBody } from '@roster/client';
import type { AccountOptions } from '../terminal/session.ts';

/** The parsed options of `roster import`. */
export interface ImportOptions extends AccountOptions {
  readonly list?: readonly number[];
  readonly mode?: CreateImportBody['mode'];
  readonly blankCells?: CreateImportBody['blank_cells'];
  readonly column?: Readonly<Record<string, string | null>>;
  readonly unknownColumns?: CreateImportBody['unknown_columns'];
  readonly preset?: CreateImportBody['preset'];
  readonly optOut?: CreateImportBody['opt_out'];
  readonly mappingOf?: string;
  readonly format?: CreateImportBody['format'];
  readonly encoding?: CreateImportBody['encoding'];
  readonly delimiter?: CreateImportBody['delimiter'];
  readonly formulaGuard?: CreateImportBody['formula_guard'];
  readonly dryRun?: boolean;
  /** The URL from which the service fetches the file. */
  readonly sourceUrl?: string;
  readonly notifyEmail?: string;
  readonly failures?: string;
  /** False with `--no-wait`. */
  readonly wait: boolean;
  readonly resume?: string;
}

/** Returns the request body that creates an import with these options. */
export function importBody(options: ImportOptions, fileName: string | undefined): CreateImportBody {
  return {
    file_name: fileName,
    mode: options.mode,
    blank_cells: options.blankCells,
    audience_ids: options.list,
    columns: options.column,
    unknown_columns: options.unknownColumns,
    preset: options.preset,
    opt_out: options.optOut,
    mapping_of: options.mappingOf,
    format: options.format,
    encoding: options.encoding,
    delimiter: options.delimiter,
    formula_guard: options.formulaGuard,
    dry_run: options.dryRun,
    source_url: options.sourceUrl,
    notify_email: options.notifyEmail,
  };
}
