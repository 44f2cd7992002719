import type { MailBlock, MailDocument, MailFact } from '../format/mail-document.ts';
import { formatCount } from '../format/mail-format.ts';

/** The data of the mail about an import that has ended. */
export interface ImportFinished {
  readonly importId: string;
  readonly status: 'completed' | 'failed' | 'cancelled';
  readonly isDryRun: boolean;
  readonly fileName: string | undefined;
  /** The URL that the file was fetched from, without its query. */
  readonly sourceUrl: string | undefined;
  /** The lists that the contacts were added to, with their numbers. */
  readonly lists: readonly string[];
  readonly counts: Readonly<Record<'total' | 'created' | 'updated' | 'unchanged' | 'failed' | 'warnings', number>>;
  /** Headers of the columns that were left out. */
  readonly skippedColumns: readonly string[];
  /** Why the import failed. */
  readonly failure: { readonly code: string; readonly message: string } | undefined;
  /** The first failed rows and skipped values. */
  readonly failures: readonly {
    readonly line: number;
    readonly column: string | null;
    readonly code: string;
    readonly message: string;
  }[];
  readonly accountName: string;
}

/** Maximum columns that a mail names. */
const shownColumns = 30;

/** The mail to the `notify_email` of an import that has ended. */
export function importFinished(data: ImportFinished): MailDocument {
  const { counts, fileName, isDryRun, lists, skippedColumns, failure, sourceUrl } = data;
  const columns = skippedColumns.slice(0, shownColumns).join(', ');
  const more = skippedColumns.length - shownColumns;
  const facts: MailFact[] = [
    ['Account', data.accountName],
    ['File', fileName],
    ['Fetched from', sourceUrl],
    ['Lists', lists.length === 0 ? undefined : lists.join(', ')],
    ['Import', data.importId],
    ['Rows', formatCount(counts.total)],
    ['Created', formatCount(counts.created)],
    ['Updated', formatCount(counts.updated)],
    ['Unchanged', formatCount(counts.unchanged)],
    ['Failed', formatCount(counts.failed)],
    ['Values left out', counts.warnings === 0 ? undefined : formatCount(counts.warnings)],
    ['Columns left out', columns === '' ? undefined : more > 0 ? `${columns} and ${formatCount(more)} more` : columns],
    ['Reason', failure === undefined ? undefined : `${failure.message} (${failure.code})`],
  ];
  const dryRun = isDryRun ? [{ kind: 'paragraph', text: 'This was a dry run. Nothing was written.' } as const] : [];
  return {
    subject: subjectOf(data),
    blocks: [{ kind: 'facts', facts }, ...dryRun, ...failureBlocks(data)],
    footer: 'You get this mail because the request for this import contains your address.',
  };
}

function subjectOf({ status, fileName, isDryRun, counts }: ImportFinished): string {
  const what = `${isDryRun ? 'The dry run of the import' : 'The import'} of ${fileName === undefined ? 'a file' : `“${fileName}”`}`;
  if (status === 'failed') return `${what} failed`;
  if (status === 'cancelled') return `${what} was cancelled`;
  return counts.failed === 0 ? `${what} is done` : `${what} is done, but some rows failed`;
}

function failureBlocks({ failures, counts }: ImportFinished): MailBlock[] {
  if (failures.length === 0) return [];
  const facts = failures.map(({ line, column, code, message }): MailFact => {
    const text = column === null || column === '' ? message : `${column}: ${message}`;
    return [`Line ${formatCount(line)}`, `${text} (${code})`];
  });
  const hasMore = counts.failed + counts.warnings > failures.length;
  return [
    { kind: 'paragraph', text: 'Failures by the line of the file. The header is line 1.' },
    { kind: 'facts', facts },
    ...(hasMore ? [{ kind: 'paragraph', text: 'The file of failures of the import has all of them.' } as const] : []),
  ];
}
