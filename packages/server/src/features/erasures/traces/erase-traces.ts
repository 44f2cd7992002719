import { clearEventsOf } from '#features/events/event-store.ts';
import { findAccount } from '#features/accounts/store/account-store.ts';
import { eraseFromLiveSegments } from '#features/live-segments/live-segments.ts';
import { finishMoves } from '#features/activities/moves/moves.ts';
import type { Context } from '#platform/context.ts';
import { eraseFailures } from '#features/imports/upkeep/erase-failures.ts';
import { hasFileUploadedBefore } from '#features/imports/store/import-store.ts';
import { dayAt } from '#platform/time/days.ts';
import { minute } from '#platform/time/intervals.ts';
import { addJob } from '#platform/jobs/jobs.ts';
import type { JobHandler, JobPayloads } from '#platform/jobs/job-table.ts';
import type { Identifier } from '#features/contacts/model/identifiers.ts';
import { Person } from '#features/people/person.ts';
import { requestsBefore } from '#features/people/request-store.ts';
import { readRequests } from '#features/people/read-requests.ts';
import { eraseOutsideRequests } from './traces-outside-requests.ts';
import {
  clockTolerance,
  findErasure,
  finishErasure,
  restartSearch,
  saveProgress,
  type ErasureKey,
  type ErasureRow,
} from '../store/erasure-store.ts';
import { hasTraces, scrubRequest } from './scrub.ts';

/** Milliseconds until the next check whether running imports have ended. */
const importPollInterval = minute;

declare module '#platform/jobs/job-table.ts' {
  interface JobPayloads {
    /** Erases the traces of a person whose contact was erased. */
    erase_traces: { readonly account_id: number; readonly request_id: string };
  }
}

/**
 * Erases the traces of a person whose contact was erased: in the stored requests, then everywhere
 * else.
 *
 * - Requests are searched from newest to oldest. An item that changed an identity or address
 *   reveals the former one.
 * - If former identifiers were found, all requests are searched a second time with them.
 * - Each step and its progress are one transaction, so that a killed run continues where it
 *   stopped.
 * - The erasure waits for running imports whose files are older than the erasure. When they end,
 *   they write a file of failures, which can name the person.
 */
export const eraseTraces: JobHandler<JobPayloads['erase_traces']> = async (context, payload, { signal }) => {
  const key: ErasureKey = { accountId: payload.account_id, requestId: payload.request_id };
  for (;;) {
    signal.throwIfAborted();
    const row = await findErasure(context.db, key);
    if (row === undefined || row.finished_at !== null) return;
    const person = personOf(row);
    if (row.position !== null) await searchStep(context, key, row, person, row.position);
    else if (row.is_again) await restartSearch(context.db, key);
    else {
      // Check this before the files of failures are searched. An import deletes its input file
      // after it has written its failures, so an import that ends in between is not missed.
      const isImportRunning = await hasFileUploadedBefore(
        context.db,
        key.accountId,
        new Date(row.erased_at.getTime() + clockTolerance),
      );
      // Before the events, so that no later event names a segment of the person.
      await forgetSegments(context, key.accountId, row.contact_id);
      await clearEventsOf(context.db, key.accountId, row.contact_id);
      await eraseOutsideRequests(context, key, row, person);
      await eraseFailures(context, key.accountId, person, signal);
      await finishMoves(context, key.accountId, person.keys, signal);
      if (isImportRunning) {
        const runAt = new Date(context.now().getTime() + importPollInterval);
        await addJob(context.db, 'erase_traces', payload, { key: key.requestId, runAt });
        return;
      }
      await finishErasure(context.db, key, context.now());
      context.log.info({ erasure: key.requestId, account_id: key.accountId }, 'finished an erasure');
      return;
    }
  }
};

/** Removes an erased contact from live segments. */
async function forgetSegments({ db, now }: Context, accountId: number, contactId: number): Promise<void> {
  const account = await findAccount(db, accountId);
  if (account === undefined) return;
  await eraseFromLiveSegments(db, accountId, contactId, dayAt(now().getTime(), account.time_zone));
}

function personOf(row: ErasureRow): Person {
  const known = [...(row.identifiers ?? []), ...row.learned] as Identifier[];
  return new Person(row.primary_key, row.contact_id, known);
}

/**
 * Searches the next requests, as many as one read returns, and erases the items about the person.
 */
async function searchStep(
  { db, features, log }: Context,
  key: ErasureKey,
  row: ErasureRow,
  person: Person,
  position: number,
): Promise<void> {
  const { accountId } = key;
  const requests = await requestsBefore({ db, features }, accountId, position);
  const owner = { accountId, primaryKey: person.primaryKey, contactId: row.contact_id };
  const read = await readRequests({ db, features }, owner, person, requests);
  for (const { request, items } of read) {
    if (items === undefined) log.warn({ request_id: request.requestId }, 'could not read a payload to erase a person');
  }
  const traces = read.filter((one) => hasTraces(person, one)).map(({ request }) => request.requestId);
  await db.transaction().execute(async (trx) => {
    let items = 0;
    // Always in the same order, so that two erasures cannot deadlock.
    for (const requestId of traces.toSorted())
      items += await scrubRequest({ trx, features }, accountId, person, requestId);
    await saveProgress(trx, key, {
      position: requests.at(-1)?.seq ?? null,
      needsSecondSearch: row.is_again || person.learned.size > 0,
      learned: [...(row.learned as Identifier[]), ...person.learned],
      items,
    });
  });
}
