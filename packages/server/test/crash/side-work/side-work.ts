import { setTimeout as sleep } from 'node:timers/promises';
import type { Report } from '../report.ts';
import type { Target } from '../target.ts';
import { until } from '../wait.ts';
import { Activities } from './activities.ts';
import { BatchAdds } from './batch-adds.ts';
import type { CallbackReceiver } from './callbacks.ts';
import { Exports } from './exports.ts';
import { Imports } from './imports.ts';
import { Renames } from './renames.ts';
import { SideAccount } from './side-account.ts';

/** One kind of work that continues through all rounds. */
export interface Chore {
  readonly name: string;
  /** How many accepted things have ended. */
  readonly done: number;
  /** How many accepted things have not ended yet. */
  readonly waiting: number;
  /** Does one thing. Waits while the service is unreachable. */
  step(): Promise<void>;
  /** Checks what has ended since the last call. */
  collect?(): Promise<void>;
  /** Compares everything that was done with the stored data. The pipeline must be empty. */
  verify(): Promise<void>;
}

/** Milliseconds between two steps, so that the contact writers get most of the machine. */
const pause = 250;

/**
 * Imports, exports with callbacks, batch adds, activities and renames of an attribute, all at once,
 * while a service is disturbed.
 */
export class SideWork {
  readonly #account: SideAccount;
  readonly #chores: readonly Chore[];
  #running: Promise<unknown> = Promise.resolve();

  private constructor(account: SideAccount, chores: readonly Chore[]) {
    this.#account = account;
    this.#chores = chores;
  }

  /** Creates the account for this work, and starts. `fillsDisk`: the disk of the files is filled. */
  static async start(
    target: Target,
    callbacks: CallbackReceiver,
    { fillsDisk = false }: { readonly fillsDisk?: boolean } = {},
  ): Promise<SideWork> {
    const account = await SideAccount.prepare(target);
    const activities = new Activities(account);
    const renames = new Renames(account);
    const exports = new Exports(account, callbacks, fillsDisk);
    await activities.prepare();
    await renames.prepare();
    await exports.prepare();
    await account.waitUntilDrained();
    const chores = [new BatchAdds(account, callbacks), activities, renames, new Imports(account), exports];
    const work = new SideWork(account, chores);
    work.#running = Promise.all(chores.map((chore) => work.#repeat(chore)));
    return work;
  }

  /** Reports the problems since the last call. */
  look(report: Report, round: string): void {
    report.check(`${round}: imports, exports, batches, activities and renames`, this.#account.problems.splice(0));
  }

  /** Starts nothing new, waits until everything has ended, and compares the results. */
  async finish(report: Report): Promise<void> {
    this.#account.ending.abort();
    await this.#running;
    const left = (): Chore[] => this.#chores.filter(({ waiting }) => waiting > 0);
    // A job of a killed process is taken over after ten seconds, and may be retried later.
    await until('all side work has ended', 240_000, async () => {
      for (const chore of left()) await chore.collect?.();
      return left().length === 0;
    }).catch(() => {
      for (const { name, waiting } of left()) this.#account.problems.push(`${name}: ${waiting} have not ended`);
    });
    await this.#account.waitUntilDrained();
    for (const chore of this.#chores) await chore.verify();
    this.look(report, 'at the end');
    const counts = this.#chores.map(({ name, done }) => `${name} ${done}`).join(', ');
    report.say(`next to the contact writers: ${counts}`);
    report.check(
      'every kind of side work came to an end at least once',
      this.#chores.flatMap(({ name, done }) => (done === 0 ? [name] : [])),
    );
  }

  async #repeat(chore: Chore): Promise<void> {
    while (!this.#account.ending.signal.aborted) {
      try {
        await chore.step();
      } catch (error) {
        this.#account.problems.push(`${chore.name}: ${(error as Error).message}`);
      }
      await sleep(pause);
    }
  }
}
