import type { AccountOperator } from '@roster/client';
import { Option, type Command } from 'commander';
import { openSession, withAccount, withService, type AccountOptions, type Session } from './session.ts';
import type { Terminal } from './terminal.ts';

/** What a command gets when it runs. */
export interface Call<Options = object> extends Session {
  readonly terminal: Terminal;
  readonly options: Options & AccountOptions;
}

/** What a command on one account gets when it runs. */
export interface AccountCall<Options = object> extends Omit<Call<Options>, 'account'> {
  readonly account: AccountOperator;
}

/** Adds a description and examples to the help of a command. */
export function described(command: Command, description: string, ...examples: readonly string[]): Command {
  const title = examples.length > 1 ? 'Examples' : 'Example';
  return command
    .description(description)
    .addHelpText('after', `\n${title}:\n${examples.map((one) => `  ${one}`).join('\n')}`);
}

/**
 * What a command does. It gets the arguments after the call. Commander has read them, and the
 * options, as the command defines them; TypeScript cannot check that.
 */
type Run<OneCall, Args extends readonly unknown[]> = (call: OneCall, ...args: Args) => Promise<void>;

/** Makes a command call the service. */
// oxlint-disable-next-line typescript/no-unnecessary-type-parameters
export function onService<Options = object, Args extends readonly unknown[] = []>(
  terminal: Terminal,
  command: Command,
  run: Run<Call<Options>, Args>,
): void {
  withService(command).action(async (...given: unknown[]) => {
    const [options, args] = [given.at(-2) as Options & AccountOptions, given.slice(0, -2)];
    await run({ ...(await openSession(terminal, options)), terminal, options }, ...(args as unknown as Args));
  });
}

/** Makes a command call the service for one account. */
// oxlint-disable-next-line typescript/no-unnecessary-type-parameters
export function onAccount<Options = object, Args extends readonly unknown[] = []>(
  terminal: Terminal,
  command: Command,
  run: Run<AccountCall<Options>, Args>,
): void {
  withAccount(command).action(async (...given: unknown[]) => {
    const [options, args] = [given.at(-2) as Options & AccountOptions, given.slice(0, -2)];
    const session = await openSession(terminal, options);
    const account = await session.account();
    await run({ ...session, account, terminal, options }, ...(args as unknown as Args));
  });
}

/** The option of commands that ask before they change something. */
export interface ConfirmOptions {
  readonly yes?: boolean;
}

/** Adds `--yes`. */
export function withConfirmation(command: Command): Command {
  return command.option('-y, --yes', 'do not ask for confirmation');
}

/** Adds an option with a fixed set of values. */
export function withChoice(command: Command, flags: string, description: string, choices: readonly string[]): Command {
  return command.addOption(new Option(flags, description).choices(choices));
}

/** Collects the values of an option that can be repeated. */
export function collect(value: string, before: readonly string[] = []): readonly string[] {
  return [...before, value];
}
