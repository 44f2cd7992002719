import type { AccountOperator } from '@roster/client';
import { Command, InvalidArgumentError, Option } from 'commander';
import { defaultLimit } from './records.ts';
import { openSession, withAccount, withService, type AccountOptions, type Session } from './session.ts';
import { requireConfirmation, type Terminal } from './terminal.ts';

/** What a command gets when it runs. */
export interface Call<Options = object> extends Session {
  readonly terminal: Terminal;
  readonly options: Options & AccountOptions;
  /** Asks before a change that cannot be undone. Throws a `CommandError` if the answer is no. */
  readonly confirm: (question: string) => Promise<void>;
}

/** What a command on one account gets when it runs. */
export interface AccountCall<Options = object> extends Omit<Call<Options>, 'account'> {
  readonly account: AccountOperator;
}

/** The option of {@link RosterCommand.confirmed}. */
interface ConfirmOptions {
  readonly yes?: boolean;
}

/**
 * What a command does. It gets the arguments after the call. Commander has read them, and the
 * options, as the command defines them; TypeScript cannot check that.
 */
type Run<OneCall, Args extends readonly unknown[]> = (call: OneCall, ...args: Args) => Promise<void>;

/** A command of `roster`. Its subcommands have the same terminal. */
export class RosterCommand extends Command {
  readonly terminal: Terminal;

  constructor(terminal: Terminal, name?: string) {
    super(name);
    this.terminal = terminal;
  }

  override createCommand(name?: string): RosterCommand {
    return new RosterCommand(this.terminal, name);
  }

  /** Adds a description and examples to the help. */
  described(description: string, ...examples: readonly string[]): this {
    const title = examples.length > 1 ? 'Examples' : 'Example';
    return this.description(description).addHelpText(
      'after',
      `\n${title}:\n${examples.map((one) => `  ${one}`).join('\n')}`,
    );
  }

  /** Adds `--yes`, for a command that calls {@link Call.confirm}. */
  confirmed(): this {
    return this.option('-y, --yes', 'do not ask for confirmation');
  }

  /** Adds `--limit`, for a command that lists rows of a long listing. */
  limited(): this {
    return this.option('--limit <rows>', `number of rows, or all (default: ${defaultLimit})`, (text) => {
      if (text === 'all') return Infinity;
      if (/^[1-9]\d{0,8}$/.test(text)) return Number(text);
      throw new InvalidArgumentError('It must be a positive integer, or all.');
    });
  }

  /** Adds an option with a fixed set of values. */
  choice(flags: string, description: string, choices: readonly string[]): this {
    return this.addOption(new Option(flags, description).choices(choices));
  }

  /** Makes the command call the service. */
  // oxlint-disable-next-line typescript/no-unnecessary-type-parameters
  onService<Options = object, Args extends readonly unknown[] = []>(run: Run<Call<Options>, Args>): void {
    withService(this).action(async (...given: unknown[]) => {
      const [options, args] = [given.at(-2) as Options & AccountOptions, given.slice(0, -2)];
      await run(await this.#open(options), ...(args as unknown as Args));
    });
  }

  /** Makes the command call the service for one account. */
  // oxlint-disable-next-line typescript/no-unnecessary-type-parameters
  onAccount<Options = object, Args extends readonly unknown[] = []>(run: Run<AccountCall<Options>, Args>): void {
    withAccount(this).action(async (...given: unknown[]) => {
      const [options, args] = [given.at(-2) as Options & AccountOptions, given.slice(0, -2)];
      const call = await this.#open(options);
      await run({ ...call, account: await call.account() }, ...(args as unknown as Args));
    });
  }

  async #open<Options>(options: Options & AccountOptions): Promise<Call<Options>> {
    const { terminal } = this;
    const confirm = (question: string) => requireConfirmation(terminal, options as ConfirmOptions, question);
    return { ...(await openSession(terminal, options)), terminal, options, confirm };
  }
}

/** Collects the values of an option that can be repeated. */
export function collect(value: string, before: readonly string[] = []): readonly string[] {
  return [...before, value];
}
