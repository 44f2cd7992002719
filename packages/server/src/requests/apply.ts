import type pg from 'pg';
import type { Logger } from 'pino';
import { openAttributeBook, type BatchState, type ItemFailure, type Outcome } from '../contacts/batch-state.ts';
import { loadContacts } from '../contacts/load.ts';
import { saveContacts } from '../contacts/save.ts';
import type { WorkingSet } from '../contacts/working-set.ts';
import { databaseFault } from '../db/database.ts';
import { describeError } from '../observability/describe-error.ts';
import {
  finishRequests,
  insertAttributes,
  loadBatchAccount,
  type RequestResult,
  type WaitingRequest,
} from './batch-store.ts';
import { prepareItems, type PreparedItem } from './operations.ts';
import { decodePayload } from './payload.ts';

/** Waiting requests with their payloads decoded: what can be made ready while the database applies the batch before. */
export interface DecodedBatch {
  readonly requests: readonly WaitingRequest[];
  readonly items: readonly PreparedItem[];
  /** Indexes of requests whose payload could not be read. */
  readonly unreadable: ReadonlySet<number>;
}

/** Decodes the payloads of waiting requests. */
export async function decodeBatch(requests: readonly WaitingRequest[], log: Logger): Promise<DecodedBatch> {
  const unreadable = new Set<number>();
  const items: PreparedItem[] = [];
  for (const [index, request] of requests.entries()) {
    try {
      const payload = await decodePayload(request.payload, request.codec);
      items.push(...prepareItems(request.operation, payload, index, request.acceptedAt.toISOString()));
    } catch (error) {
      log.error(
        { err: describeError(error), request_id: request.requestId },
        'the payload of a request cannot be read',
      );
      unreadable.add(index);
    }
  }
  return { requests, items, unreadable };
}

/**
 * The keys of all contacts that a batch can touch; undefined when it finds contacts by anything else, and may touch any.
 *
 * Batches whose keys have nothing in common can be loaded in any order: that is what lets a lane load one while it applies another.
 */
export function keysOf(batch: DecodedBatch, primaryKey: string): ReadonlySet<string> | undefined {
  const keys = new Set<string>();
  for (const lookup of lookupsOf(batch.items, primaryKey)) {
    if (lookup.by !== 'key') return undefined;
    keys.add(lookup.value);
  }
  return keys;
}

/** What the pipeline needs besides the database. */
export interface ApplyTools {
  readonly log: Logger;
  readonly now: () => Date;
  readonly newId: () => string;
}

interface ItemResult {
  readonly item: PreparedItem;
  readonly outcome: Outcome;
  readonly failures: readonly ItemFailure[];
}

/**
 * Applies a batch of one account in one transaction, and ends its requests in the same: each is applied exactly once, or not at all.
 *
 * The contacts that the batch names are loaded, the requests applied to them in memory in the order of acceptance, and what changed is
 * written back with one statement per kind of change (docs/decisions/0001-apply-in-memory.md). When the database refuses a statement, the
 * items are split until the culprit is alone; it is recorded as failed and the others are kept.
 *
 * The connection must hold the lane of the account. `loaded` are the contacts of the batch where they are known already; it is used up.
 * Throws, with nothing applied, when the database is away.
 */
export async function applyBatch(
  client: pg.ClientBase,
  accountId: number,
  batch: DecodedBatch,
  tools: ApplyTools,
  loaded?: WorkingSet,
): Promise<RequestResult[]> {
  let results: ItemResult[];
  await client.query('begin');
  try {
    try {
      results = await attempt(client, accountId, batch.items, tools, loaded);
    } catch (error) {
      if (isTransient(error)) throw error;
      tools.log.warn(
        { err: describeError(error), account_id: accountId },
        'a batch was refused; looking for the item that causes it',
      );
      await client.query('rollback');
      await client.query('begin');
      results = await split(client, accountId, batch.items, tools, 0);
    }
    const summary = summarise(batch, results);
    await finishRequests(client, accountId, summary, tools.now());
    await client.query('commit');
    return summary;
  } catch (error) {
    // On a broken connection this fails too; the server has rolled back by itself then.
    await client.query('rollback').catch(() => undefined);
    throw error;
  }
}

/** True when the same batch can succeed later: the database is away, out of a resource, or the transaction lost a race. */
function isTransient(error: unknown): boolean {
  const fault = databaseFault(error);
  return fault === 'unreachable' || fault === 'timeout';
}

async function attempt(
  client: pg.ClientBase,
  accountId: number,
  items: readonly PreparedItem[],
  tools: ApplyTools,
  loaded?: WorkingSet,
): Promise<ItemResult[]> {
  const account = await loadBatchAccount(client, accountId, new Set(items.flatMap((item) => item.listIds)));
  const { primaryKey } = account.registry;
  const contacts = loaded ?? (await loadContacts(client, accountId, lookupsOf(items, primaryKey)));
  const state: BatchState = {
    contacts,
    registry: openAttributeBook(account.registry, account.lastAttributeId, account.autoCreateAttributes),
    lists: account.lists,
    newId: tools.newId,
  };
  const results = items.map((item): ItemResult => {
    const failures: ItemFailure[] = [];
    return { item, outcome: item.apply(state, failures), failures };
  });
  if (state.registry.created.length > 0) {
    await insertAttributes(client, accountId, state.registry.created, tools.now().toISOString());
  }
  await saveContacts(client, accountId, contacts);
  return results;
}

function* lookupsOf(items: readonly PreparedItem[], primaryKey: string) {
  for (const item of items) yield* item.lookups(primaryKey);
}

/** Applies items in parts, each under a savepoint; a part that is refused is halved until one item is left, which fails. */
async function split(
  client: pg.ClientBase,
  accountId: number,
  items: readonly PreparedItem[],
  tools: ApplyTools,
  depth: number,
): Promise<ItemResult[]> {
  if (items.length === 0) return [];
  const savepoint = `part_${depth}`;
  await client.query(`savepoint ${savepoint}`);
  try {
    const results = await attempt(client, accountId, items, tools);
    await client.query(`release savepoint ${savepoint}`);
    return results;
  } catch (error) {
    if (isTransient(error)) throw error;
    await client.query(`rollback to savepoint ${savepoint}`);
    await client.query(`release savepoint ${savepoint}`);
    if (items.length === 1) {
      tools.log.error(
        { err: describeError(error), account_id: accountId, item: items[0]!.index },
        'an item cannot be stored',
      );
      return [{ item: items[0]!, outcome: 'failed', failures: [{ code: 'internal' }] }];
    }
    const middle = items.length >> 1;
    const first = await split(client, accountId, items.slice(0, middle), tools, depth + 1);
    return [...first, ...(await split(client, accountId, items.slice(middle), tools, depth + 1))];
  }
}

function summarise(batch: DecodedBatch, results: readonly ItemResult[]): RequestResult[] {
  const summary = batch.requests.map((request, index) => {
    const unreadable = batch.unreadable.has(index);
    const failures: { index: number; failures: readonly ItemFailure[] }[] = unreadable
      ? [{ index: 0, failures: [{ code: 'payload_unreadable' }] }]
      : [];
    const counts = {
      total: request.total,
      created: 0,
      updated: 0,
      unchanged: 0,
      deleted: 0,
      failed: unreadable ? request.total : 0,
      warnings: 0,
    };
    return { request, status: unreadable ? ('failed' as const) : ('done' as const), counts, failures };
  });
  for (const { item, outcome, failures } of results) {
    const request = summary[item.request]!;
    request.counts[outcome]++;
    if (failures.length === 0) continue;
    if (outcome !== 'failed') request.counts.warnings += failures.length;
    request.failures.push({ index: item.index, failures });
  }
  return summary;
}
