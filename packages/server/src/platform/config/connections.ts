import type { Config } from './config.ts';

/** The settings that decide how many connections a process opens. */
export type ConnectionSettings = Pick<Config, 'databasePoolSize' | 'workerLoops'>;

/** Connections of an API process outside of its pools: it listens for changes of accounts. */
const apiConnections = 1;

/** Connections of a worker outside of its pools: its jobs, upkeep, listeners and locks. */
const workerConnections = 12;

/** The use of connections: serve requests, apply requests, run jobs, or create the first account. */
export type ConnectionsRole = 'api' | 'worker' | 'jobs' | 'start';

/** Connections of the pools of a process. */
export interface PoolSizes {
  readonly main: number;
  /** For searches, and for statements that may take long. */
  readonly search: number;
}

/**
 * Returns the sizes of the pools of a process. Its jobs have pools of their own.
 *
 * - An API process splits its connections between searches and all other work, so that neither can
 *   block the other.
 * - A worker has at least 3 connections for each loop (two write, one reads ahead) plus 4 for
 *   upkeep, even if the setting is lower. With fewer, the loops would wait for each other.
 */
export function poolSizes({ databasePoolSize, workerLoops }: ConnectionSettings, role: ConnectionsRole): PoolSizes {
  const search = role === 'worker' || role === 'jobs' ? 2 : Math.floor(databasePoolSize / 2);
  const least = role === 'worker' ? 3 * workerLoops + 4 : 2;
  return { main: Math.max(least, databasePoolSize - search), search };
}

/** Returns how many connections to the database a start with these settings opens at most. */
export function maxConnections(config: ConnectionSettings, role: Config['role']): number {
  const pools = (part: ConnectionsRole): number => {
    const { main, search } = poolSizes(config, part);
    return main + search;
  };
  const api = pools('api') + apiConnections;
  const worker = pools('worker') + pools('jobs') + workerConnections;
  return role === 'all' ? api + worker : role === 'api' ? api : worker;
}
