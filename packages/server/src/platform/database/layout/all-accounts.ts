import { createHash } from 'node:crypto';
import { sql, type RawBuilder } from 'kysely';
import type { Context } from '#platform/context.ts';
import { within } from '#platform/loops/within.ts';
import { isMissingTable } from '../connection/database.ts';
import { describeError } from '../connection/describe-error.ts';
import { NodeDown } from '../connection/node-down.ts';
import { ofAllAccounts } from '../statements/all-accounts.ts';
import type { AccountServer, AccountServers, Shard } from './account-servers.ts';

/** The tables of a shard in SQL, by their usual names. */
type References<Table extends string> = Readonly<Record<Table, RawBuilder<unknown>>>;

/** The names of the tables of a shard, by their usual names. */
type Names<Table extends string> = Readonly<Record<Table, string>>;

/**
 * Makes a query about some tables of a shard. It may end with ORDER BY and LIMIT. `names` are for
 * queries about the catalogue.
 */
export type QueryOn<Table extends string, Row> = (tables: References<Table>, names: Names<Table>) => RawBuilder<Row>;

/** How a query of {@link findAccounts} runs. */
export interface QueryOptions {
  /**
   * True if one plan is the best for tables of any size, also for empty ones. Then each connection
   * keeps the plan: on a cluster, planning a query for all shards takes ten times as long as running
   * it. The query must name its columns. With `*`, it would fail after a migration has added one.
   */
  readonly keepsPlan?: boolean;
  /** Milliseconds after which a node counts as not responding; default: as long as it is not down. */
  readonly patience?: number;
}

/**
 * Reads rows of all accounts. `query` runs on each shard by itself, so it may use any SQL: a cluster
 * cannot run everything across its nodes. An order holds only within each shard. Throws when a node
 * does not respond.
 */
export async function readAllAccounts<Row, Table extends string>(
  { servers }: Pick<Context, 'servers'>,
  tables: readonly Table[],
  query: QueryOn<Table, Row>,
): Promise<Row[]> {
  return retryWhenMoved(servers, async () => {
    const found = await Promise.all(readServers(await servers.shards(), tables, query));
    return found.flat();
  });
}

/**
 * Like {@link readAllAccounts}, but leaves out the accounts of nodes of a cluster that do not respond.
 * For work that can wait until its node is back. Throws when no server responds.
 */
export async function findAccounts<Row, Table extends string>(
  context: Pick<Context, 'servers' | 'log'>,
  tables: readonly Table[],
  query: QueryOn<Table, Row>,
  options?: QueryOptions,
): Promise<Row[]> {
  return whereTheyRespond(context, async () => readServers(await context.servers.shards(), tables, query, options));
}

/**
 * Like {@link findAccounts}, for some `keys` of accounts. `query` gets the keys of one shard at a
 * time.
 */
export async function findInAccounts<Row, Table extends string, Key extends { readonly accountId: number }>(
  context: Pick<Context, 'servers' | 'log'>,
  tables: readonly Table[],
  keys: readonly Key[],
  query: (tables: References<Table>, keys: readonly Key[]) => RawBuilder<Row>,
): Promise<Row[]> {
  return whereTheyRespond(context, async () => {
    const shards = await Promise.all(keys.map(async ({ accountId }) => context.servers.shardOf(accountId)));
    const own = Map.groupBy(keys.keys(), (at) => shards[at]!);
    return readServers([...own.keys()], tables, (references, _names, shard) =>
      query(
        references,
        own.get(shard)!.map((at) => keys[at]!),
      ),
    );
  });
}

/** Starts to read from each server with some of the shards. Fails at once for a server that is down. */
function readServers<Row, Table extends string>(
  shards: readonly Shard[],
  tables: readonly Table[],
  query: (tables: References<Table>, names: Names<Table>, shard: Shard) => RawBuilder<Row>,
  { keepsPlan = false, patience }: QueryOptions = {},
): Promise<Row[]>[] {
  const servers = Map.groupBy(shards, ({ server }) => server);
  // There is nothing else to wait for on a single server.
  const limit = servers.size > 1 ? patience : undefined;
  return servers
    .entries()
    .map(async ([server, own]) => {
      const rows = readServer(server, own, tables, query, keepsPlan);
      if (limit === undefined) return rows;
      return within(limit, rows, () => {
        throw new NodeDown(server.name);
      });
    })
    .toArray();
}

async function readServer<Row, Table extends string>(
  { db, pool, isDown, name }: AccountServer,
  own: readonly Shard[],
  tables: readonly Table[],
  query: (tables: References<Table>, names: Names<Table>, shard: Shard) => RawBuilder<Row>,
  keepsPlan: boolean,
): Promise<Row[]> {
  if (isDown) throw new NodeDown(name);
  const queries = await Promise.all(
    own.map(async (shard) => {
      const names = await shard.tables(tables);
      return query(referencesTo(names), names, shard);
    }),
  );
  const all =
    queries.length === 1
      ? queries[0]!
      : sql.join(
          queries.map((one) => sql`(${one})`),
          sql` union all `,
        );
  const statement = sql<Row>`${ofAllAccounts} ${all}`;
  if (!keepsPlan) return (await statement.execute(db)).rows;
  const { sql: text, parameters } = statement.compile(db);
  return (
    await pool.query<Row & object>({
      name: createHash('sha1').update(text).digest('hex'),
      text,
      values: [...parameters],
    })
  ).rows;
}

/** Returns the rows of the servers that respond. */
async function whereTheyRespond<Row>(
  { servers, log }: Pick<Context, 'servers' | 'log'>,
  read: () => Promise<readonly Promise<Row[]>[]>,
): Promise<Row[]> {
  return retryWhenMoved(servers, async () => {
    const found = await Promise.allSettled(await read());
    const failed = found.filter((one) => one.status === 'rejected');
    const missing = failed.find(({ reason }) => isMissingTable(reason));
    if (missing !== undefined || (failed.length > 0 && failed.length === found.length)) {
      throw (missing ?? failed[0]!).reason;
    }
    for (const { reason } of failed) log.debug({ err: describeError(reason) }, 'a node of the cluster did not respond');
    return found.flatMap((one) => (one.status === 'fulfilled' ? one.value : []));
  });
}

function referencesTo<Table extends string>(names: Names<Table>): References<Table> {
  const entries = Object.entries<string>(names).map(([table, name]) => [table, sql.table(name)]);
  return Object.fromEntries(entries) as References<Table>;
}

/** Repeats `read` once, with the new places, if shards have moved to other nodes meanwhile. */
async function retryWhenMoved<T>(servers: AccountServers, read: () => Promise<T>): Promise<T> {
  try {
    return await read();
  } catch (error) {
    if (!isMissingTable(error)) throw error;
    servers.forget();
    return read();
  }
}
