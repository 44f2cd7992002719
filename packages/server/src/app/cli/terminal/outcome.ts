import {
  RosterError,
  type Accepted,
  type AcceptedBatch,
  type BatchOptions,
  type RequestFailure,
  type RequestSummary,
} from '@roster/client';
import type { AccountCall, RosterCommand } from './command.ts';
import { CommandError, exitCodes } from './exit-codes.ts';
import { catchInterrupt } from './interrupt.ts';
import { fields, type Output } from './output.ts';
import { startProgress } from './progress.ts';
import { table } from './table.ts';

/** The option of commands that send items, which the service applies later. */
export interface WaitOptions {
  readonly wait: boolean;
}

/** Adds `--no-wait`. */
export function withWait(command: RosterCommand): RosterCommand {
  return command.option('--no-wait', 'end when the items are accepted, before they are applied');
}

/** What became of the items of a command. The indexes of the failures count all items. */
interface Outcome {
  readonly requests: readonly string[];
  readonly counts: RequestSummary['counts'];
  readonly failures: readonly RequestFailure[];
}

const noCounts = { total: 0, created: 0, updated: 0, unchanged: 0, deleted: 0, failed: 0, warnings: 0 };
type CountName = keyof typeof noCounts;
const countNames = Object.keys(noCounts) as CountName[];

/** Failures that people see. With `--json`, the result has the first 1000 of each request. */
const shownFailures = 20;

/**
 * Sends items, waits until they are applied, and writes what became of them. Throws a
 * {@link CommandError} with the exit code 5 if items failed.
 */
export async function sendItems(
  call: AccountCall<WaitOptions>,
  send: (options: BatchOptions) => Promise<Accepted>,
): Promise<void> {
  const { output, options } = call;
  using interrupt = catchInterrupt();
  const { signal } = interrupt;
  const { count, requests } = await accept(call, signal, send);
  const ids = requests.map(({ request_id: id }) => id);
  if (!options.wait) {
    await output.result({ count, requests: ids }, () => fields(output, { accepted: count, requests: ids.join(', ') }));
    return;
  }
  const outcome = await waitForOutcome(call, requests, signal).catch(async (error: unknown) => {
    if (signal.aborted) await output.note(`All items are accepted and will be applied. Requests: ${ids.join(', ')}`);
    throw error;
  });
  await output.result(outcome, () => textOf(output, outcome));
  const { failed } = outcome.counts;
  if (failed > 0)
    throw new CommandError(exitCodes.someFailed, failed === 1 ? 'One item failed.' : `${failed} items failed.`);
}

async function accept(
  { terminal, output }: Pick<AccountCall, 'terminal' | 'output'>,
  signal: AbortSignal,
  send: (options: BatchOptions) => Promise<Accepted>,
): Promise<Accepted> {
  const accepted: AcceptedBatch[] = [];
  let sent = 0;
  using progress = await startProgress(terminal, 'Sending', 'rows');
  try {
    return await send({
      signal,
      onAccepted(batch) {
        accepted.push(batch);
        progress.update((sent += batch.count), undefined);
      },
    });
  } catch (error) {
    const ids = accepted.map(({ request_id: id }) => id).join(', ');
    if (sent > 0 && !output.json)
      await output.note(`The first ${sent} items are accepted and will be applied. Requests: ${ids}`);
    throw error instanceof RosterError ? withItemNumbers(error, output.json) : error;
  }
}

/**
 * Returns the error with the numbers that the items have in the file. The service counts the items of
 * one request, from 0, and a long file needs several requests. People see `item 1200: …` instead of
 * the path of a field.
 */
function withItemNumbers(error: RosterError, isJson: boolean): RosterError {
  const first = error.batch?.first ?? 0;
  const place = /(?<![\w.])(data(?:\.contacts)?)\[(\d+)\](\.?)/g;
  const counted = (text: string): string =>
    text.replace(place, (_, name: string, index: string, dot: string) => `${name}[${first + Number(index)}]${dot}`);
  const named = (text: string): string =>
    text.replace(place, (_, _name, index: string, dot: string) => {
      return `item ${first + Number(index)}${dot === '' ? '' : ': '}`;
    });
  const rename = isJson ? counted : named;
  const faults = error.faults.map((fault) => ({
    ...fault,
    field: rename(fault.field),
    message: rename(fault.message),
  }));
  const { operation, status, requestId, retryAfter } = error;
  return new RosterError(error.code, rename(error.message), {
    operation,
    status,
    requestId,
    retryAfter,
    faults,
    cause: error,
  });
}

async function waitForOutcome(
  { account, terminal }: AccountCall,
  requests: readonly AcceptedBatch[],
  signal: AbortSignal,
): Promise<Outcome> {
  const total = requests.reduce((sum, { count }) => sum + count, 0);
  using progress = await startProgress(terminal, 'Applying', 'rows');
  const counts: Record<CountName, number> = { ...noCounts };
  const failures: RequestFailure[] = [];
  for (const { request_id: id, first, count } of requests) {
    const found = await account.requests.wait(id, { signal });
    for (const name of countNames) counts[name] += found.counts[name];
    failures.push(...found.failures.map((failure) => ({ ...failure, index: first + failure.index })));
    progress.update(first + count, total);
  }
  return { requests: requests.map(({ request_id: id }) => id), counts, failures };
}

async function textOf(output: Output, { requests, counts, failures }: Outcome): Promise<string> {
  const { warnings, ...rest } = counts;
  const shown = Object.fromEntries(Object.entries(rest).filter(([name, count]) => count > 0 || name === 'total'));
  const text = fields(output, { ...shown, ...(warnings > 0 ? { 'values left out': warnings } : {}) });
  if (failures.length === 0) return text;
  const rows = failures.slice(0, shownFailures).map(({ index, code, field, message }) => [index, code, field, message]);
  const more =
    failures.length > shownFailures
      ? `\n\nThere are more. All of them: roster requests failures ${requests.length === 1 ? requests[0]! : '<request_id>'}`
      : '';
  return `${text}\n\n${await table(output, ['ITEM', 'CODE', 'FIELD', 'REASON'], rows)}${more}`;
}
