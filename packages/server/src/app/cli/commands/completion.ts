import addCompletionCommand from '@bomb.sh/tab/commander';
import type { Command } from 'commander';

/** `roster complete <shell>`: writes what makes a shell complete commands and options. Call it when all other commands are there. */
export function addCompletion(program: Command): void {
  addCompletionCommand(program);
  const command = program.commands.find((one) => one.name() === 'complete');
  command?.description('write the completion for a shell: bash, zsh, fish or powershell').addHelpText(
    'after',
    `
Examples:
  source <(roster complete bash)                                     in ~/.bashrc
  source <(roster complete zsh)                                      in ~/.zshrc
  roster complete fish > ~/.config/fish/completions/roster.fish`,
  );
}
