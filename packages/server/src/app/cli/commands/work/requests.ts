import type { RequestDetail } from '@roster/client';
import { outcomeFilters, requestStatuses, type OutcomeFilter, type RequestStatus } from '@roster/contract';
import { given } from '#platform/given.ts';
import type { RosterCommand } from '../../terminal/command.ts';
import { CommandError, exitCodes } from '../../terminal/exit-codes.ts';
import { catchInterrupt } from '../../terminal/interrupt.ts';
import type { Output } from '../../terminal/output.ts';
import { writeListing, writeRecord, type LimitOptions } from '../../terminal/records.ts';

interface FilterOptions extends LimitOptions {
  readonly status?: RequestStatus;
  readonly outcome?: OutcomeFilter;
  readonly operation?: string;
  readonly from?: string;
  readonly before?: string;
}

interface FailureOptions extends LimitOptions {
  readonly code?: string;
  readonly contacts?: boolean;
}

/** Adds `roster requests`: accepted requests and what became of them. */
export function addRequestCommands(program: RosterCommand): void {
  const requests = program.command('requests').description('accepted requests, and what became of them');
  const onOne = (name: string) => requests.command(name).argument('<request_id>', 'identifier of the request');

  const list = requests.command('list').limited();
  list.choice('--status <status>', 'only requests of this status', requestStatuses);
  list.choice('--outcome <outcome>', 'only requests with this outcome', outcomeFilters);
  list
    .option('--operation <name>', 'only requests of this kind, such as contact.create')
    .option('--from <moment>', 'only requests that were accepted at this time or later')
    .option('--before <moment>', 'only requests that were accepted before this time');
  list
    .described('list the newest requests', 'roster requests list --outcome failed --limit 20')
    .onAccount<FilterOptions>(({ account, output, options: { limit, status, outcome, operation, from, before } }) => {
      const filter = given({ status, outcome, operation, from, before });
      return writeListing(output, given({ limit }), (page) => account.requests.list({ ...page, ...filter }), {
        REQUEST: (one) => one.request_id,
        OPERATION: (one) => one.operation,
        ACCEPTED: (one) => one.accepted_at,
        STATUS: (one) => one.outcome ?? one.status,
        ITEMS: (one) => one.counts.total,
        FAILED: (one) => one.counts.failed,
        WARNINGS: (one) => one.counts.warnings,
      });
    });

  onOne('show')
    .described('show a request with its counts', 'roster requests show 019a9d3e-7c1b-7f3a-9b52-2f3c8b1d0a11')
    .onAccount<object, [string]>(async ({ account, output }, id) =>
      writeRequest(output, await account.requests.get(id)),
    );

  onOne('failures')
    .limited()
    .option('--code <code>', 'only failures with this code')
    .option('--contacts', 'with the contact that each item names')
    .described(
      'list the items of a request that failed, or of which a part was left out',
      'roster requests failures 019a9d3e-7c1b-7f3a-9b52-2f3c8b1d0a11 --contacts --limit all',
    )
    .onAccount<FailureOptions, [string]>(
      ({ account, output, options: { limit, code: failures_code, contacts } }, id) => {
        const query = given({ failures_code, failures_with_contacts: contacts });
        return writeListing(output, given({ limit }), () => account.requests.failures(id, query), {
          ITEM: (one) => one.index,
          CODE: (one) => one.code,
          FIELD: (one) => one.field,
          ...(contacts === true ? { CONTACT: (one) => one.contact?.value } : {}),
          REASON: (one) => one.message,
        });
      },
    );

  onOne('wait')
    .described(
      'wait until a request is applied; the exit code is 5 if items failed',
      'roster requests wait 019a9d3e-7c1b-7f3a-9b52-2f3c8b1d0a11',
    )
    .onAccount<object, [string]>(async ({ account, output }, id) => {
      using interrupt = catchInterrupt();
      const found = await account.requests.wait(id, { signal: interrupt.signal });
      await writeRequest(output, found);
      const { failed } = found.counts;
      if (failed > 0)
        throw new CommandError(exitCodes.someFailed, failed === 1 ? 'One item failed.' : `${failed} items failed.`);
    });
}

function writeRequest(output: Output, request: RequestDetail): Promise<void> {
  if (output.json) return writeRecord(output, request);
  const { failures: _, failures_next_cursor: _next, failure_codes: codes, ...rest } = request;
  const failures = codes.map(({ code, count }) => `${code} ${count}`);
  return writeRecord(output, { ...rest, ...(failures.length === 0 ? {} : { failures }) });
}
