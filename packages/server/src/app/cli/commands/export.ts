import { createWriteStream } from 'node:fs';
import { rename, rm } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createClient, type AccountOperator, type Export } from '@roster/client';
import { blocklistTypes, type BlocklistType } from '@roster/contract';
import { Option } from 'commander';
import type { RosterCommand } from '../terminal/command.ts';
import { CommandError, exitCodes } from '../terminal/exit-codes.ts';
import { catchInterrupt } from '../terminal/interrupt.ts';
import { fields } from '../terminal/output.ts';
import { countedBytes, noProgress, startProgress } from '../terminal/progress.ts';
import {
  accountOptionsOf,
  openSession,
  positiveInteger,
  withAccount,
  type AccountOptions,
  type Session,
} from '../terminal/session.ts';
import { pathFromCaller, quoteForShell } from '../terminal/shell.ts';
import { isBrokenPipe, type Terminal } from '../terminal/terminal.ts';
import { outputFile, requireWritable } from '../terminal/writable.ts';

interface ExportOptions extends AccountOptions {
  readonly apiKey?: string;
  readonly list?: number;
  readonly segment?: number;
  readonly attributes?: readonly string[];
  readonly blocklist?: BlocklistType;
  readonly unmasked?: boolean;
  readonly gzip?: boolean;
  readonly output?: string;
  readonly request?: string;
}

/** Adds `roster export`, which exports a list or segment to a file. */
export function addExportCommand(program: RosterCommand): void {
  const { terminal } = program;
  withAccount(program.command('export'))
    .description('export the contacts of a list or segment as CSV')
    .addOption(new Option('--list <audience_id>', 'number of the list').argParser(positiveInteger).conflicts('segment'))
    .addOption(new Option('--segment <audience_id>', 'number of the segment').argParser(positiveInteger))
    .option('--attributes <names>', 'columns, separated by commas (default: primary key, EMAIL, MOBILE)', names)
    .addOption(
      new Option('--blocklist <channel>', 'leave out contacts that opted out of this channel').choices(blocklistTypes),
    )
    .option('--unmasked', 'show masked values in full')
    .option('--gzip', 'compress the file')
    .option('-o, --output <file>', 'write to this file; - or nothing: standard output')
    .option('--request <request_id>', 'continue with an export that was requested before')
    .addOption(
      new Option('--api-key <key>', 'API key for the export (default: a temporary key, revoked after use)').env(
        'ROSTER_API_KEY',
      ),
    )
    .addHelpText(
      'after',
      `
Examples:
  roster export --list 3 --attributes EMAIL,CITY,LOYALTY_TIER -o customers.csv
  roster export --segment 7 --blocklist email | wc -l
  roster export --list 3 --gzip -o customers.csv.gz`,
    )
    .action((options: ExportOptions, command: RosterCommand) => runExport(terminal, options, command));
}

async function runExport(terminal: Terminal, options: ExportOptions, command: RosterCommand): Promise<void> {
  const session = await openSession(terminal, options);
  const { output } = session;
  const file = outputFile(options.output);
  if (options.json === true && file === undefined) {
    throw new CommandError(
      exitCodes.usage,
      '--json writes the result to standard output. Use --output to write the file elsewhere.',
    );
  }
  if (file !== undefined) await requireWritable(file);
  const account = await session.account();
  using interrupt = catchInterrupt();
  const { signal } = interrupt;
  const requestId = options.request ?? (await requestExport(session, account, options));
  try {
    const done = await waitForExport(terminal, account, requestId, signal);
    await download(terminal, account, done, file, signal);
    if (file === undefined) return;
    await output.result(done, () =>
      fields(output, { request_id: requestId, rows: done.rows_total, bytes: done.file_size, file }),
    );
  } catch (error) {
    if (signal.aborted) {
      const target = file === undefined ? '' : ` -o ${quoteForShell(file)}`;
      const later = `roster export ${accountOptionsOf(command, account)} --request ${requestId}${target}`;
      await output.note(`The export continues in the service. To download its file later:\n  ${later}`);
    }
    // A reader such as `head` may stop before the end of the file.
    if (!isBrokenPipe(error)) throw error;
  }
}

/**
 * Requests the export and returns its `request_id`. The endpoint needs an API key. If the user gave
 * none, a temporary key is created and revoked.
 */
async function requestExport(session: Session, account: AccountOperator, options: ExportOptions): Promise<string> {
  const { list, segment, attributes, blocklist, gzip, apiKey } = options;
  const audience = list ?? segment;
  if (audience === undefined) throw new CommandError(exitCodes.usage, 'Select an audience with --list or --segment.');
  const request = (key: string): Promise<string> =>
    createClient({ url: session.url, apiKey: key }).audiences.export({
      audience_details: {
        audience_type: list === undefined ? 'segment' : 'list',
        audience_id: audience,
        ...(attributes === undefined ? {} : { attributes_needed: attributes }),
        ...(blocklist === undefined ? {} : { blocklist_type: blocklist }),
      },
      ...(gzip === true ? { compression: 'gzip' as const } : {}),
      callback_details: {},
    });
  if (apiKey !== undefined) {
    await requireKeyOfAccount(account, apiKey);
    return await request(apiKey);
  }
  const temporary = await account.apiKeys.create({
    name: 'roster export',
    scopes: ['export', 'activity:read', ...(options.unmasked === true ? (['unmasked'] as const) : [])],
    expires_at: new Date(Date.now() + 10 * 60_000).toISOString(),
  });
  try {
    return await request(temporary.api_key);
  } finally {
    await account.apiKeys.revoke(temporary.api_key_id);
  }
}

/**
 * Requires that an API key belongs to the account. With a key of another account, the service would
 * export the list with the same number from that account.
 */
async function requireKeyOfAccount(account: AccountOperator, apiKey: string): Promise<void> {
  for await (const { key_hint: beginning } of account.apiKeys.list({ limit: 500 })) {
    if (apiKey.startsWith(beginning)) return;
  }
  throw new CommandError(
    exitCodes.usage,
    `The API key in --api-key (ROSTER_API_KEY) does not belong to account ${account.accountId}.`,
  );
}

async function waitForExport(
  terminal: Terminal,
  account: AccountOperator,
  requestId: string,
  signal: AbortSignal,
): Promise<Export> {
  using progress = await startProgress(terminal, 'Exporting', 'rows');
  return await account.exports.wait(requestId, {
    signal,
    onProgress: ({ rows_written: written, rows_total: total }) => progress.update(written, total ?? undefined),
  });
}

/** Downloads the file. It gets its final name only when it is complete. */
async function download(
  terminal: Terminal,
  account: AccountOperator,
  { request_id: requestId }: Export,
  target: string | undefined,
  signal: AbortSignal,
): Promise<void> {
  const { stream, size } = await account.exports.open(requestId, { signal });
  // A bar would overwrite rows that are written to the same terminal.
  const isShown = target === undefined && terminal.stdout.isTTY === true;
  using progress = isShown ? noProgress : await startProgress(terminal, 'Downloading', 'bytes');
  const source = Readable.from(
    countedBytes(() => stream, progress, size),
    { objectMode: false },
  );
  if (target === undefined) {
    await pipeline(source, terminal.stdout, { end: false, signal });
    return;
  }
  const place = pathFromCaller(target);
  const unfinished = `${place}.part`;
  try {
    // The file holds personal data, so that only its owner may read it.
    await pipeline(source, createWriteStream(unfinished, { mode: 0o600 }), { signal });
    await rename(unfinished, place);
  } catch (error) {
    await rm(unfinished, { force: true });
    throw error;
  }
}

const names = (text: string): string[] =>
  text
    .split(',')
    .map((name) => name.trim())
    .filter((name) => name !== '');
