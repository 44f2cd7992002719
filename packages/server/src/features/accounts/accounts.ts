import { changeTime, requireUnchanged } from '#platform/http/operations/entity-tag.ts';
import { firstKeyScopes, type CreateAccountBody, type UpdateAccountBody, upperCaseName } from '@roster/contract';
import { changedFields, writeAudit, type Author } from '#platform/audit-log/audit-log.ts';
import { insertAttributes } from '#features/registry/attribute-store.ts';
import { systemAttributes } from '#features/registry/system-attributes.ts';
import type { Context } from '#platform/context.ts';
import { pollUntilFound } from '#platform/loops/poll-until-found.ts';
import type { Database } from '#platform/database/connection/database.ts';
import type { Actor } from '#platform/http/authentication/actor.ts';
import { type ApiError, conflict } from '#platform/errors/api-error.ts';
import { tryLane } from '#pipeline/queue/lane.ts';
import { announceAccount } from './store/account-channel.ts';
import { effectiveSettings, mergeSettings } from './store/account-settings.ts';
import {
  insertAccount,
  primaryKeyUse,
  updateAccount,
  type AccountFields,
  type AccountRow,
} from './store/account-store.ts';
import { requestCountRebuild } from './store/count-rebuild-store.ts';
import { requireAccount, requireLockedAccount } from './store/require-account.ts';
import { addApiKey, type NewApiKey } from './keys/api-keys.ts';
import { dropSummaries, requestRebuild, requestSummaries } from './store/summary-state-store.ts';
import { ensurePrimaryKey } from './primary-key.ts';
import { generateSigningSecret } from './signing-secrets/signing-secrets.ts';
import { insertSigningSecret } from './signing-secrets/signing-secret-store.ts';

/** A new account, and its first API key. */
export interface NewAccount extends NewApiKey {
  readonly account: AccountRow;
}

/**
 * Creates an account with the system attributes, a signing secret and a first API key.
 * The key can also read the outcomes of requests, and is generated if `apiKey` is absent.
 */
export async function addAccount(
  trx: Database,
  context: Context,
  body: CreateAccountBody,
  actor: Author,
  apiKey?: string,
): Promise<NewAccount> {
  const fields: AccountFields = {
    name: body.name,
    primary_key: 'EMAIL',
    time_zone: body.time_zone ?? 'UTC',
    settings: mergeSettings({}, body.settings),
  };
  const made = await insertAccount(trx, fields, context.now());
  const accountId = made.account_id;
  const { name, time_zone, settings } = fields;
  await writeAudit(trx, context, {
    accountId,
    actor,
    action: 'account.create',
    subject: `account:${accountId}`,
    details: { name, primary_key: upperCaseName(body.primary_key ?? 'EMAIL'), time_zone, settings },
  });
  await insertAttributes(
    trx,
    accountId,
    systemAttributes.map(({ name, dataType, category }) => ({ name, dataType, category, system: true })),
    context.now(),
  );
  await insertSigningSecret(trx, accountId, generateSigningSecret(), context.now());
  const primaryKey = await ensurePrimaryKey(trx, context, accountId, body.primary_key ?? 'EMAIL', actor);
  const account =
    primaryKey === made.primary_key
      ? made
      : await updateAccount(trx, accountId, { ...fields, primary_key: primaryKey }, context.now());
  if (settings.derived_attributes === true) await requestSummaries(trx, accountId, context.now());
  const key = await addApiKey(trx, context, accountId, { name: 'First key', scopes: firstKeyScopes, apiKey }, actor);
  return { account, ...key };
}

declare module '#platform/feature.ts' {
  interface Feature {
    /** Adds to an account that was just created by a caller, in the same transaction. */
    readonly onCreateAccount?: (trx: Database, context: Context, accountId: number, actor: Actor) => Promise<void>;
    /** Follows a change of an account, at the end of its transaction. */
    readonly onChangeAccount?: (
      trx: Database,
      context: Context,
      before: AccountRow,
      after: AccountRow,
    ) => Promise<void>;
  }
}

/** Creates an account for an operator or a person. */
export async function createAccount(context: Context, body: CreateAccountBody, actor: Actor): Promise<NewAccount> {
  return context.db.transaction().execute(async (trx) => {
    const made = await addAccount(trx, context, body, actor.author);
    for (const { onCreateAccount } of context.features) {
      await onCreateAccount?.(trx, context, made.account.account_id, actor);
    }
    return made;
  });
}

// Milliseconds to wait for the lane. An account with waiting requests is refused before this wait.
// The last batch or a step of a sweep holds the lane only shortly.
const lanePolling = { first: 50, timeout: 1000 };

/**
 * Changes an account. Throws `not_found`. Throws `conflict` for another primary key while the
 * account has contacts, or has requests that are waiting or being applied.
 */
export async function changeAccount(
  context: Context,
  accountId: number,
  body: UpdateAccountBody,
  author: Author,
  ifMatch?: number,
): Promise<AccountRow> {
  const { databaseTurns, db } = context;
  // Polls, because waiting inside a transaction would occupy a connection.
  databaseTurns.end();
  const change = () =>
    db.transaction().execute((trx) => changeUnlessBusy(trx, context, accountId, body, author, ifMatch));
  const account = await pollUntilFound(() => databaseTurns.run(accountId, undefined, change), lanePolling);
  if (account === undefined) throw primaryKeyConflict('has requests that are being applied');
  return account;
}

/** Changes an account. Returns undefined when the change needs the lane, and the lane is held. */
async function changeUnlessBusy(
  trx: Database,
  context: Context,
  accountId: number,
  body: UpdateAccountBody,
  author: Author,
  ifMatch: number | undefined,
): Promise<AccountRow | undefined> {
  if (body.primary_key !== undefined) {
    await requireFreePrimaryKey(trx, await requireAccount(trx, accountId), body.primary_key);
    // Take the lane before the account lock, as the pipeline does, to prevent a deadlock. While
    // this process holds the lane, no other process writes contacts of the account.
    if (!(await tryLane(trx, accountId))) return undefined;
  }
  const before = await requireLockedAccount(trx, accountId);
  requireUnchanged(before, ifMatch);
  const fields: AccountFields = {
    name: body.name ?? before.name,
    primary_key: await newPrimaryKey(trx, context, before, body.primary_key, author),
    time_zone: body.time_zone ?? before.time_zone,
    settings: mergeSettings(before.settings, body.settings),
  };
  const changes = changedFields(auditedFields(before), auditedFields(fields));
  if (Object.keys(changes).length === 0) return before;
  const after = await updateAccount(trx, accountId, fields, changeTime(before, context.now()));
  if (after.time_zone !== before.time_zone) await requestCountRebuild(trx, accountId, context.now());
  await changeSummaries(trx, before, after, context.now());
  await writeAudit(trx, context, {
    accountId,
    actor: author,
    action: 'account.update',
    subject: `account:${accountId}`,
    details: { changes },
  });
  await announceAccount(trx, accountId);
  for (const { onChangeAccount } of context.features) await onChangeAccount?.(trx, context, before, after);
  return after;
}

/** Begins to build or to delete the summaries of activities, if the settings need it. */
async function changeSummaries(trx: Database, before: AccountRow, after: AccountRow, at: Date): Promise<void> {
  const [old, settings] = [effectiveSettings(before.settings), effectiveSettings(after.settings)];
  const { account_id: accountId } = after;
  if (!settings.derived_attributes) {
    if (old.derived_attributes) await dropSummaries(trx, accountId, at);
  } else if (!old.derived_attributes) {
    await requestSummaries(trx, accountId, at);
  } else if (settings.activity_retention_months > old.activity_retention_months) {
    // Activities that were too old, but are not deleted yet, count again.
    await requestRebuild(trx, accountId, at);
  }
}

async function newPrimaryKey(
  trx: Database,
  context: Context,
  account: AccountRow,
  requested: string | undefined,
  author: Author,
): Promise<string> {
  if (requested === undefined || upperCaseName(requested) === account.primary_key) return account.primary_key;
  await requireFreePrimaryKey(trx, account, requested);
  return ensurePrimaryKey(trx, context, account.account_id, requested, author);
}

/**
 * Throws `conflict` when contacts or requests prevent a change of the primary key.
 * The result is reliable only while the caller holds the lane.
 */
async function requireFreePrimaryKey(trx: Database, account: AccountRow, requested: string): Promise<void> {
  if (upperCaseName(requested) === account.primary_key) return;
  const use = await primaryKeyUse(trx, account.account_id);
  if (use.contacts) throw primaryKeyConflict('has contacts');
  if (use.requests) throw primaryKeyConflict('has requests that are not applied yet');
}

function primaryKeyConflict(what: string): ApiError {
  return conflict(`The primary key can change only while the account has no contacts. This account ${what}.`);
}

function auditedFields({ name, primary_key, time_zone, settings }: AccountFields): Record<string, unknown> {
  return { name, primary_key, time_zone, ...effectiveSettings(settings) };
}
