import pg from 'pg';
import { afterAll, expect, inject } from 'vitest';
import { distributedTables } from '#platform/database/layout/distributed-tables.ts';
import { isCluster, withDatabase } from './cluster.ts';

const database = 'roster_account_partitions';
const partitions = 8;

/**
 * Makes the database for {@link checkStatements}: the tables that a cluster distributes, each divided
 * by account into eight partitions. `template` is the URL of the migrated template.
 */
export async function createAccountPartitions(template: string): Promise<void> {
  const admin = await connect(withDatabase(template, 'postgres'));
  await admin.query(`drop database if exists ${database} with (force)`);
  await admin.query(`create database ${database} template roster_template strategy file_copy`);
  await admin.end();
  const client = await connect(withDatabase(template, database));
  const statements = distributedTables.flatMap((table) => [
    `create table divided.${table} (like public.${table} including indexes including defaults) partition by hash (account_id)`,
    ...Array.from(
      { length: partitions },
      (_, at) => `create table divided.${table}_of_account_${at} partition of divided.${table}
        for values with (modulus ${partitions}, remainder ${at})`,
    ),
  ]);
  await client.query(['create schema divided', ...statements].join(';'));
  await client.end();
}

/** A statement that the service has sent, with its first parameters. */
interface Sent {
  readonly text: string;
  readonly values: readonly unknown[];
  /** The lines of our code that sent it. */
  readonly place: string;
}

// A process runs many test files, and sends most statements in all of them.
const seen = new Set<string>();
const unchecked: Sent[] = [];
const table = new RegExp(`\\b(${distributedTables.join('|')})(_\\d+)?\\b`);
const verb = /^\s*(\/\*.*?\*\/\s*)?(select|insert|update|delete|with)\b/i;

/**
 * Checks each statement that the service sends in this process: it reads the rows of one account in
 * the tables that a cluster distributes. Otherwise the test file fails. A statement can be marked as
 * being about all accounts (`ofAllAccounts`).
 *
 * The proof is the plan of PostgreSQL for tables that are divided by account: it has one partition.
 */
export function checkStatements(): void {
  if (isCluster) return;
  noteStatements();
  afterAll(async () => {
    const statements = unchecked.splice(0);
    if (statements.length === 0) return;
    const client = await connect(withDatabase(inject('templateUrl'), database));
    const faults: string[] = [];
    try {
      await client.query('set search_path = divided, public');
      for (const sent of statements) faults.push(...(await faultsOf(client, sent)));
    } finally {
      await client.end();
    }
    expect(faults, 'statements that read several accounts').toEqual([]);
  });
}

let isNoting = false;

/** Notes all statements of this process from now on. */
function noteStatements(): void {
  if (isNoting) return;
  isNoting = true;
  // Enough to find our code behind that of the query builder.
  Error.stackTraceLimit = 30;
  for (const { prototype } of [pg.Client, pg.Pool]) {
    const query = prototype.query as (...args: unknown[]) => unknown;
    Object.assign(prototype, {
      query(this: unknown, ...args: unknown[]) {
        note(args[0], args[1]);
        return Reflect.apply(query, this, args);
      },
    });
  }
}

function note(first: unknown, second: unknown): void {
  const config = typeof first === 'string' ? { text: first, values: second } : first;
  const { text, values, cursor } = config as Partial<Sent> & { readonly cursor?: Partial<Sent> };
  const sent = withoutCopy(text ?? cursor?.text);
  if (sent === undefined || seen.has(sent) || !verb.test(sent)) return;
  seen.add(sent);
  // A simulated cluster has the catalog of Citus (simulated-cluster.ts).
  if (/pg_dist_|get_shard_id_for_distribution_column/.test(sent)) return;
  if (!table.test(sent) || sent.includes('/* all accounts */')) return;
  const place = placeOf(new Error().stack ?? '');
  // Statements of the tests themselves may read what they like. Migrations change all accounts.
  if (place === '' || place.startsWith('src/platform/database/schema/')) return;
  const given = values ?? cursor?.values;
  unchecked.push({ text: sent, values: Array.isArray(given) ? given : [], place });
}

/** Returns the query of a COPY. EXPLAIN does not take a COPY. */
function withoutCopy(text: string | undefined): string | undefined {
  return /^\s*copy \((.*)\) to stdout\b[^()]*(?:\([^()]*\))?\s*$/is.exec(text ?? '')?.[1] ?? text;
}

function placeOf(stack: string): string {
  return [...stack.matchAll(/packages\/server\/(src\/\S+?:\d+)/g)]
    .map(([, line]) => line!)
    .filter((line) => !/^src\/platform\/database\/(connection|replicas)\/|\.test\.ts:/.test(line))
    .slice(0, 3)
    .join(' < ');
}

async function faultsOf(client: pg.Client, { text, values, place }: Sent): Promise<string[]> {
  const divided = text
    // On a cluster, statements show the account (opaque-account.ts).
    .replaceAll(/\(select (\$\d+)::int\)/g, '$1::int')
    // Batches of a cluster name the tables of a shard. See simulated-cluster.ts.
    .replaceAll(/\b(\w+?)_of_shard_\d+\b/g, '$1')
    // Activities and requests are also divided by time. Here, only by account.
    .replaceAll(/"?\b(activities|requests|request_results|request_failures)_\d+\b"?/g, '$1');
  try {
    const { rows } = await client.query(`explain (format json) ${divided}`, [...values]);
    const read = new Map<string, Set<string>>();
    addPartitions(rows[0]['QUERY PLAN'][0].Plan, read);
    return [...read].filter(([, parts]) => parts.size > 1).map(([name]) => `${name}: ${place}\n${text}`);
  } catch (error) {
    return [`${(error as Error).message}: ${place}\n${text}`];
  }
}

/** Adds the partitions that a node of a plan and the nodes under it read. */
function addPartitions(node: Record<string, unknown>, read: Map<string, Set<string>>): void {
  const [name, part] = ((node['Relation Name'] as string | undefined) ?? '').split('_of_account_');
  if (name !== undefined && part !== undefined) read.set(name, (read.get(name) ?? new Set()).add(part));
  for (const child of (node['Plans'] as Record<string, unknown>[] | undefined) ?? []) addPartitions(child, read);
}

async function connect(url: string): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  return client;
}
