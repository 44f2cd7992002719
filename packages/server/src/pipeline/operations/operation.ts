import { splitByKeys, type Split, type SplitItems } from './split-payload.ts';
import type { Context } from '#platform/context.ts';
import type { Database } from '#platform/database/connection/database.ts';
import type { Feature } from '#platform/feature.ts';
import type { ItemFailure, Outcome } from './item-result.ts';
import type { PipelineOperation, Payloads } from './payload.ts';
import type { PeopleInPayload } from './people-in-payload.ts';

/**
 * A pipeline operation: how requests of one kind, such as `contact.create`, are applied. There are
 * two kinds of operations:
 *
 * - An {@link ItemOperation} changes contacts, item by item, in memory. A batch can have many
 *   requests of this kind.
 * - A {@link WholeOperation} changes what all items depend on. Its request has a batch of its own.
 */
export type OperationDefinition<Payload> = (ItemOperation<Payload> | WholeOperation<Payload>) & {
  /**
   * Finds the people in a stored payload; undefined when a payload names no people. It is required,
   * because exports and erasures of a person miss every payload in which people are not found.
   */
  readonly people: PeopleInPayload<Payload> | undefined;
};

/** An operation whose items are applied one by one to the state of a batch. */
export interface ItemOperation<Payload> {
  /** Prepares a request. Throws when its payload is damaged. */
  readonly prepare: (payload: Payload, request: RequestFacts) => PreparedRequest;
  /** How requests of accounts with several buckets are split. Absent: they need all lanes. */
  readonly split?: SplitItems<Payload>;
}

/** An operation that is applied as a whole, in the transaction that ends its request. */
export interface WholeOperation<Payload> {
  /** Applies a request and returns the results of its items, in order. */
  readonly applyWhole: (
    trx: Database,
    accountId: number,
    payload: Payload,
    context: PipelineContext,
  ) => Promise<readonly WholeResult[]>;
}

/** The part of the context of a process that the pipeline and its operations use. */
export type PipelineContext = Pick<Context, 'config' | 'db' | 'features' | 'log' | 'metrics' | 'newId' | 'now'>;

/** Facts about a request besides its payload. */
export interface RequestFacts {
  /** Index of the request in its batch. */
  readonly index: number;
  /** When the request was accepted, RFC 3339. */
  readonly at: string;
}

/** The result of one item of a {@link WholeOperation}. */
export interface WholeResult {
  readonly outcome: Outcome;
  readonly failures: readonly ItemFailure[];
  /** The attribute that the item has changed. */
  readonly attributeId?: number;
}

/**
 * One request, ready to be applied item by item. `State` (what items change) and `Lookups` (how to
 * find the contacts to load) are types of the {@link BatchModel}. The pipeline only passes them
 * on.
 */
export interface PreparedRequest<State = never, Lookups = never> {
  /** Index of the request in its batch. */
  readonly index: number;
  /** Number of items. */
  readonly size: number;
  /** Adds the look-ups by which an item finds its contacts. */
  lookups(item: number, primaryKey: string, into: Lookups): void;
  /**
   * For items that happened at a time, such as activities: adds the contact key of an item that
   * happened before `before` (milliseconds since 1970). Another contact may have had the key then.
   */
  lateKeys?(item: number, primaryKey: string, before: number, into: Set<string>): void;
  /** Returns the identifiers of the people that an item names (docs/privacy.md). */
  names(item: number, primaryKey: string): readonly string[];
  /** Adds the lists that an item names. */
  listIds(item: number, into: Set<number>): void;
  /** Applies an item to the state. Adds the reasons why the item, or a part of it, failed. */
  apply(item: number, state: State, failures: ItemFailure[]): Outcome;
}

/** One item of a request of a batch. */
export interface BatchItem<Request = PreparedRequest> {
  readonly request: Request;
  readonly index: number;
  readonly origin: RequestOrigin;
}

/** The stored request of an item. */
export interface RequestOrigin {
  readonly requestId: string;
  readonly acceptedAt: Date;
}

/** Pipeline operations by name. */
export type OperationDefinitions = { readonly [O in PipelineOperation]?: OperationDefinition<Payloads[O]> };

declare module '#platform/feature.ts' {
  interface Feature {
    /** The pipeline operations of the feature. */
    readonly operations?: OperationDefinitions;
  }
}

/** Returns the definition of an operation; throws when no feature of the process has it. */
export function definitionOf<O extends PipelineOperation>(
  features: readonly Feature[],
  operation: O,
): OperationDefinition<Payloads[O]> {
  for (const { operations } of features) {
    const definition = operations?.[operation];
    if (definition !== undefined) return definition;
  }
  throw new Error(`no feature of this process defines the operation ${operation}`);
}

/**
 * Returns how to split the requests of an operation by the contacts that they name. Undefined for an
 * operation whose requests need all lanes.
 */
export function splitOf(
  features: readonly Feature[],
  operation: PipelineOperation,
  primaryKey: string,
): Split | undefined {
  const definition: OperationDefinition<never> = definitionOf(features, operation);
  if (!('split' in definition) || definition.split === undefined) return undefined;
  return splitByKeys<never>(definition.split, primaryKey) as Split;
}

/** True for an operation that needs a batch of its own. */
export function isWhole(features: readonly Feature[], operation: PipelineOperation): boolean {
  return 'applyWhole' in definitionOf(features, operation);
}
