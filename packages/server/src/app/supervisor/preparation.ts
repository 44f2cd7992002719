import { fork } from 'node:child_process';
import { once } from 'node:events';
import { ChildStartError } from '@roster/embedded-postgres';
import { programFile } from '../program-file.ts';
import type { Prepared } from './prepare-database.ts';

/** What the process that prepares the database sends: what it made, or the text of its failure. */
export type PreparationAnswer = { readonly prepared: Prepared } | { readonly failure: string };

/** A process that prepares the database. Disposing of it kills the process if it still runs. */
export interface Preparation extends Disposable {
  /**
   * Prepares the database, see `prepareDatabase`. Call it once. Throws a {@link ChildStartError}
   * with the text of a failure.
   */
  prepare(databaseUrl: string): Promise<Prepared>;
}

/**
 * Starts a process that prepares the database and then ends. Migrations and accounts need most of
 * the service. The memory for it is free again when the process has ended, but the supervisor
 * stays.
 */
export function startPreparation(env: Readonly<Record<string, string | undefined>>): Preparation {
  const child = fork(programFile('prepare'), [], { env, execArgv: [], stdio: ['ignore', 'inherit', 'inherit', 'ipc'] });
  const ended = once(child, 'exit') as Promise<unknown[]>;
  ended.catch(() => undefined);
  return {
    async prepare(databaseUrl) {
      const answered = once(child, 'message') as Promise<[PreparationAnswer]>;
      if (child.connected) child.send(databaseUrl, () => undefined);
      const answer = await Promise.race([answered.then(([first]) => first), ended]);
      if (child.connected) child.disconnect();
      if (Array.isArray(answer)) {
        const how = JSON.stringify(answer);
        throw new ChildStartError(`The process that prepares the database ended before it was done (${how}).`);
      }
      if ('failure' in answer) throw new ChildStartError(answer.failure);
      const { firstAccount, setUpToken } = answer.prepared;
      return { firstAccount, setUpToken };
    },
    [Symbol.dispose]() {
      child.kill('SIGKILL');
    },
  };
}
