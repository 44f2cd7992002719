import { AsyncLocalStorage } from 'node:async_hooks';
import type { Config } from '#platform/config/config.ts';
import { enterGate } from './enter-gate.ts';
import { createFairGate, type GateOptions, type Leave } from './fair-gate.ts';

/** Who takes turns: an account, or a caller without an account. */
export type TurnOwner = number | string;

/**
 * Shares the connections of an API process between accounts, for all work except searches and the
 * storing of requests. Some lists of a large account take a second. Without turns, forty of them
 * would occupy all connections, and every caller would wait.
 */
export interface DatabaseTurns {
  /**
   * Does work with the database when it is the turn of the owner. Work within this work needs no
   * further turn. Throws `overloaded` if the turn does not come in time, and the reason of the
   * signal when it is aborted before.
   */
  run<T>(owner: TurnOwner, signal: AbortSignal | undefined, work: () => Promise<T>): Promise<T>;
  /**
   * Ends the turn of the present work, which is about to wait for something else. After that, it
   * should use the database only for short look-ups.
   */
  end(): void;
}

/** Returns the limits of the turns. Searches have half of the connections. */
export function turnLimits({ databasePoolSize }: Pick<Config, 'databasePoolSize'>): GateOptions {
  // The other half of the connections stays free for look-ups of API keys, and to store requests.
  const total = Math.max(2, Math.floor(databasePoolSize / 4));
  return { total, perKey: Math.ceil(total / 2), waitingPerKey: 1000, timeout: 10_000 };
}

/** Makes the turns of a process. */
export function createDatabaseTurns(config: Pick<Config, 'databasePoolSize'>): DatabaseTurns {
  const gate = createFairGate<TurnOwner>(turnLimits(config));
  const present = new AsyncLocalStorage<{ leave: Leave | undefined }>();

  function end(turn = present.getStore()): void {
    turn?.leave?.();
    if (turn !== undefined) turn.leave = undefined;
  }

  return {
    async run(owner, signal, work) {
      if (present.getStore()?.leave !== undefined) return work();
      const turn = { leave: gate.tryEnter(owner) ?? (await enterGate(gate, owner, 'overloaded', signal)) };
      try {
        return await present.run(turn, work);
      } finally {
        end(turn);
      }
    },
    end: () => end(),
  };
}
