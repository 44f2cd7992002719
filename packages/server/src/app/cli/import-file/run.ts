import type { Import } from '@roster/client';
import type { Command } from 'commander';
import { CommandError, exitCodes } from '../terminal/exit-codes.ts';
import { catchInterrupt } from '../terminal/interrupt.ts';
import { startProgress } from '../terminal/progress.ts';
import { openSession } from '../terminal/session.ts';
import { confirm, type Terminal } from '../terminal/terminal.ts';
import { requireOtherFile, requireWritable } from '../terminal/writable.ts';
import { commandForFailures, writeFailures } from './failures.ts';
import { findSource } from './file.ts';
import { importSession, type ImportSession } from './import-session.ts';
import { importBody, type ImportOptions } from './options.ts';
import { report } from './report.ts';
import { sendFile } from './send-file.ts';

/**
 * Runs `roster import`: creates the import, sends the file unless the service fetches it, waits, and
 * writes the failures.
 */
export async function runImport(
  terminal: Terminal,
  file: string | undefined,
  options: ImportOptions,
  command: Command,
): Promise<void> {
  if (options.failures !== undefined) await requireWritable(options.failures);
  if (options.sourceUrl !== undefined && file !== undefined) {
    throw new CommandError(exitCodes.usage, 'Name a file or --source-url, not both.');
  }
  const hasNoSource = file === undefined && (options.resume !== undefined || options.sourceUrl !== undefined);
  const source = hasNoSource ? undefined : await findSource(terminal, file);
  if (options.failures !== undefined) await requireOtherFile('--failures', options.failures, source?.id);
  const { output, account: findAccount } = await openSession(terminal, options);
  const account = await findAccount();
  using interrupt = catchInterrupt();
  const session = importSession(command, { output, account, interrupt });
  const importId =
    source !== undefined
      ? await sendFile(session, source, options)
      : (options.resume ?? (await createFetched(session, options)));
  if (source === undefined && options.wait) await requireFile(session, importId);
  const ended = options.wait ? await waitForEnd(session, importId) : await account.imports.get(importId);
  const wanted = ended.finished_at === null ? undefined : options.failures;
  const { counted, file: failuresFile } =
    wanted === undefined ? { counted: ended, file: undefined } : await writeFailures(session, ended, wanted);
  await output.result(failuresFile === undefined ? counted : { ...counted, failures_file: failuresFile }, () =>
    report(output, command, counted, failuresFile),
  );
  await endCommand(session, counted, wanted !== undefined);
}

/** Creates an import whose file the service fetches. Returns the `import_id`. */
async function createFetched({ account, interrupt: { signal } }: ImportSession, options: ImportOptions) {
  const { import_id: importId } = await account.imports.create(importBody(options, undefined), { signal });
  return importId;
}

/** Throws if the import still waits for its file. The command would otherwise wait for ever. */
async function requireFile({ account, interrupt: { signal }, commandFor }: ImportSession, id: string): Promise<void> {
  if ((await account.imports.get(id, { signal })).status !== 'awaiting_file') return;
  const command = commandFor(id, { file: '<file>' });
  throw new CommandError(exitCodes.usage, `The import waits for the rest of its file. Name the file: ${command}`);
}

async function waitForEnd(session: ImportSession, importId: string): Promise<Import> {
  const { output, account, interrupt } = session;
  try {
    using progress = await startProgress(output.terminal, 'Importing', 'percent');
    return await account.imports.wait(importId, {
      signal: interrupt.signal,
      onProgress: ({ progress: seen, counts }) => progress.update(seen.percent, 100, noteOf(seen, counts.failed)),
    });
  } catch (error) {
    if (interrupt.signal.aborted) await offerToCancel(session, importId);
    throw error;
  }
}

function noteOf(
  { rows_read: rows, rows_per_second: rate, seconds_left: seconds }: Import['progress'],
  failed: number,
): string {
  const parts = [`${rows.toLocaleString('en')} rows`];
  if (rate !== null) parts.push(`${rate.toLocaleString('en')}/s`);
  if (seconds !== null) parts.push(`${seconds} s left`);
  if (failed > 0) parts.push(`${failed.toLocaleString('en')} failed`);
  return parts.join(' · ');
}

/** Asks after Ctrl-C whether to cancel the import. Without a terminal, the import continues. */
async function offerToCancel({ output, account, commandFor }: ImportSession, importId: string): Promise<void> {
  const answer = await confirm(output.terminal, 'Cancel the import? Rows that are already applied stay.');
  if (answer === 'yes') {
    await account.imports.cancel(importId);
    await output.note('The import is cancelled.');
    return;
  }
  await output.note(`The import continues in the service. To wait for it again:\n  ${commandFor(importId)}`);
}

/**
 * Prints the command that gets the failures, and throws the exit code of an import with failures.
 */
async function endCommand(
  session: ImportSession,
  { import_id: importId, status, counts }: Import,
  failuresWanted: boolean,
): Promise<void> {
  if (counts.failed + counts.warnings > 0 && !failuresWanted) {
    const command = commandForFailures(session, importId);
    await session.output.note(`To get the rows with failures, and the reasons:\n  ${command}`);
  }
  if (status === 'failed') throw new CommandError(exitCodes.failed, 'The import failed.');
  if (status === 'cancelled') throw new CommandError(exitCodes.failed, 'The import was cancelled.');
  if (counts.failed > 0) {
    const text = counts.failed === 1 ? 'One row failed.' : `${counts.failed.toLocaleString('en')} rows failed.`;
    throw new CommandError(exitCodes.someFailed, text);
  }
}
