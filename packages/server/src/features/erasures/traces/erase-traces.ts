import { finishMoves } from '#features/activities/moves/moves.ts';
import type { Context } from '#platform/context.ts';
import { eraseFailures } from '#features/imports/upkeep/erase-failures.ts';
import { hasFileFrom } from '#features/imports/store/import-store.ts';
import { addJob } from '#platform/jobs/jobs.ts';
import type { JobHandler, JobPayloads } from '#platform/jobs/job-table.ts';
import type { Identifier } from '#features/contacts/model/identifiers.ts';
import { Person } from '#features/people/person.ts';
import { requestsBefore } from '#features/people/request-store.ts';
import { readRequests } from '#features/people/traces.ts';
import { eraseBesideRequests } from './traces-outside-requests.ts';
import {
  clockTolerance,
  findErasure,
  finishErasure,
  noteProgress,
  searchAgain,
  type ErasureKey,
  type ErasureRow,
} from '../store/erasure-store.ts';
import { eraseRefused, hasTraces, scrubRequest } from './scrub.ts';

/** Until it is looked again whether imports that were running have ended, in milliseconds. */
const pause = 60_000;

declare module '#platform/jobs/job-table.ts' {
  interface JobPayloads {
    /** Erases the traces of a person whose contact was erased. */
    erase_traces: { readonly account_id: number; readonly request_id: string };
  }
}

/**
 * Erases the traces of a person whose contact was erased: in the requests that are kept, then everywhere else.
 *
 * Requests are looked through from the newest to the oldest, so that an item that gave the contact its present identity or address tells the
 * one before. When something was learned on the way, they are looked through once more. Each step and the note of it are one transaction: a
 * run that is interrupted or killed goes on where it was. Imports whose files were sent before are waited for: what they say of the person goes
 * into their files of failures when they end.
 */
export const eraseTraces: JobHandler<JobPayloads['erase_traces']> = async (context, payload, { signal }) => {
  const key: ErasureKey = { accountId: payload.account_id, requestId: payload.request_id };
  for (;;) {
    signal.throwIfAborted();
    const row = await findErasure(context.db, key);
    if (row === undefined || row.finished_at !== null) return;
    const person = personOf(row);
    if (row.position !== null) await searchStep(context, key, row, person, row.position);
    else if (row.is_again) await searchAgain(context.db, key);
    else {
      // Asked before the files of failures are looked at: an import writes its own while its file is still there.
      const isImported = await hasFileFrom(
        context.db,
        key.accountId,
        new Date(row.erased_at.getTime() + clockTolerance),
      );
      await eraseBesideRequests(context, key, row, person);
      await eraseFailures(context, key.accountId, person, signal);
      await finishMoves(context, key.accountId, person.keys, signal);
      if (isImported) {
        const runAt = new Date(context.now().getTime() + pause);
        await addJob(context.db, 'erase_traces', payload, { key: key.requestId, runAt });
        return;
      }
      await finishErasure(context.db, key, context.now());
      context.log.info({ erasure: key.requestId, account_id: key.accountId }, 'an erasure is finished');
      return;
    }
  }
};

declare module '#platform/jobs/job-table.ts' {
  interface JobPayloads {
    /** Erases what a request says of people who are forgotten. */
    erase_refused: { readonly account_id: number; readonly request_id: string };
  }
}

/** Erases the items of a request that were refused because they are about somebody who is forgotten. */
export const eraseRefusedItems: JobHandler<JobPayloads['erase_refused']> = (context, payload) =>
  eraseRefused(context, payload.account_id, payload.request_id);

function personOf(row: ErasureRow): Person {
  const known = [...(row.identifiers ?? []), ...row.learned] as Identifier[];
  return new Person(row.primary_key, known, row.contact_created_at);
}

/** Looks through the next requests, as many as fit into memory, and erases what they say of the person. */
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
    if (items === undefined) log.warn({ request_id: request.requestId }, 'a payload cannot be searched for traces');
  }
  const traces = read.filter((one) => hasTraces(person, one)).map(({ request }) => request.requestId);
  await db.transaction().execute(async (trx) => {
    let items = 0;
    // In one order, so that two erasures that meet in the same requests do not wait for each other.
    for (const requestId of traces.toSorted())
      items += await scrubRequest({ trx, features }, accountId, person, requestId);
    await noteProgress(trx, key, {
      position: requests.at(-1)?.seq ?? null,
      isAgain: row.is_again || person.learned.size > 0,
      learned: [...(row.learned as Identifier[]), ...person.learned],
      items,
    });
  });
}
