import { RosterError, type AccountOperator, type Import } from '@roster/client';
import { CommandError, exitCodeOf, exitCodes } from '../exit-codes.ts';
import { shellWord } from '../shell-word.ts';
import { catchInterrupt, type Interrupt } from '../interrupt.ts';
import type { Output } from '../output.ts';
import { startProgress } from '../progress.ts';
import { openSession } from '../session.ts';
import { confirm, type Terminal } from '../terminal.ts';
import { requireWritable } from '../writable.ts';
import { commandForFailures, writeFailures } from './failures.ts';
import { findSource, type Source } from './file.ts';
import { importBody, type ImportOptions } from './options.ts';
import { report } from './report.ts';

/** Runs `roster import`: creates the import, sends the file, waits, and writes the rows that failed. */
export async function runImport(terminal: Terminal, file: string | undefined, options: ImportOptions): Promise<void> {
  if (options.failures !== undefined) await requireWritable(options.failures);
  const source = options.resume === undefined || file !== undefined ? await findSource(terminal, file) : undefined;
  const { output, account: findAccount } = await openSession(terminal, options);
  const account = await findAccount();
  using interrupt = catchInterrupt();
  const importId =
    source === undefined ? options.resume! : await begin(terminal, output, account, source, options, interrupt);
  const ended = options.wait
    ? await untilEnded(output, account, importId, interrupt)
    : await account.imports.get(importId);
  const wanted = ended.finished_at === null ? undefined : options.failures;
  const { counted, file: failuresFile } =
    wanted === undefined
      ? { counted: ended, file: undefined }
      : await writeFailures(output, account, ended, wanted, interrupt);
  await output.result(failuresFile === undefined ? counted : { ...counted, failures_file: failuresFile }, () =>
    report(output, counted, failuresFile),
  );
  await conclude(output, account, counted, wanted !== undefined);
}

/**
 * Creates the import, unless `--resume` names one, and sends the file, or the rest of it. When the service stays away, the import waits for the
 * rest; when anything else goes wrong, it is cancelled.
 */
async function begin(
  terminal: Terminal,
  output: Output,
  account: AccountOperator,
  source: Source,
  options: ImportOptions,
  { signal }: Interrupt,
): Promise<string> {
  const importId =
    options.resume ?? (await account.imports.create(importBody(options, source.name), { signal })).import_id;
  using progress = await startProgress(terminal, 'Sending', 'bytes');
  async function* counted(): AsyncGenerator<Uint8Array> {
    let bytes = 0;
    for await (const chunk of source.open()) {
      bytes += chunk.byteLength;
      progress.update(bytes, source.size);
      yield chunk;
    }
  }
  try {
    await account.imports.send(importId, counted(), { signal, resume: options.resume !== undefined });
  } catch (error) {
    if (source.canReopen && error instanceof RosterError && exitCodeOf(error) === exitCodes.unreachable) {
      const command = `roster import ${shellWord(source.path!)} --account ${account.accountId} --resume ${importId}`;
      await output.note(`The import waits for the rest of the file for 24 hours. To send it:\n  ${command}`);
      throw error;
    }
    await account.imports.cancel(importId).catch(() => undefined);
    throw error;
  }
  return importId;
}

async function untilEnded(
  output: Output,
  account: AccountOperator,
  importId: string,
  interrupt: Interrupt,
): Promise<Import> {
  try {
    using progress = await startProgress(output.terminal, 'Importing', 'percent');
    return await account.imports.wait(importId, {
      signal: interrupt.signal,
      onProgress: ({ progress: seen, counts }) => progress.update(seen.percent, 100, noteOf(seen, counts.failed)),
    });
  } catch (error) {
    if (interrupt.signal.aborted) await leave(output, account, importId);
    throw error;
  }
}

function noteOf(
  { rows_read: rows, rows_per_second: rate, seconds_left: seconds }: Import['progress'],
  failed: number,
): string {
  const parts = [`${rows.toLocaleString('en')} rows`];
  if (rate !== null) parts.push(`${rate.toLocaleString('en')} a second`);
  if (seconds !== null) parts.push(`${seconds} s left`);
  if (failed > 0) parts.push(`${failed.toLocaleString('en')} failed`);
  return parts.join(' · ');
}

/** After Ctrl-C: asks whether to stop the import as well; where nobody can be asked, it goes on. */
async function leave(output: Output, account: AccountOperator, importId: string): Promise<void> {
  const answer = await confirm(output.terminal, 'Cancel the import? Rows that were applied stay.');
  if (answer === true) {
    await account.imports.cancel(importId);
    await output.note('The import is cancelled.');
    return;
  }
  const command = `roster import --account ${account.accountId} --resume ${importId}`;
  await output.note(`The import goes on in the service. To wait for it again:\n  ${command}`);
}

/** Says what is left to do, by the exit code too. */
async function conclude(
  output: Output,
  account: AccountOperator,
  { import_id: importId, status, counts }: Import,
  failuresWanted: boolean,
): Promise<void> {
  if (counts.failed + counts.warnings > 0 && !failuresWanted) {
    const command = commandForFailures(account, importId);
    await output.note(`To get the rows that failed, with their reasons:\n  ${command}`);
  }
  if (status === 'failed') throw new CommandError(exitCodes.failed, 'The import failed.');
  if (status === 'cancelled') throw new CommandError(exitCodes.failed, 'The import was cancelled.');
  if (counts.failed > 0) {
    const text = counts.failed === 1 ? 'One row failed.' : `${counts.failed.toLocaleString('en')} rows failed.`;
    throw new CommandError(exitCodes.someFailed, text);
  }
}
