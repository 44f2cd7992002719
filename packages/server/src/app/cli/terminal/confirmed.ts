import { CommandError, exitCodes } from './exit-codes.ts';
import { confirm, type Terminal } from './terminal.ts';

/** Asks before something that cannot be undone, unless `--yes` was given. Throws a {@link CommandError} when the answer is no, or nobody can answer. */
export async function confirmed(
  terminal: Terminal,
  options: { readonly yes?: boolean },
  question: string,
): Promise<void> {
  if (options.yes === true) return;
  const answer = await confirm(terminal, question);
  if (answer === true) return;
  if (answer === false) throw new CommandError(exitCodes.failed, 'Nothing was changed.');
  throw new CommandError(exitCodes.usage, `${question} There is no terminal to ask on: say --yes.`);
}
