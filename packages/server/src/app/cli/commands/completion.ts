import addCompletionCommand from '@bomb.sh/tab/commander';
import type { Command } from 'commander';

/**
 * Adds `roster complete <shell>`, which writes the completion script for a shell.
 * Call it after all other commands are added.
 */
export function addCompletion(program: Command): void {
  addCompletionCommand(program);
  const command = program.commands.find((one) => one.name() === 'complete');
  command?.description('write the completion script for a shell: bash, zsh, fish or powershell').addHelpText(
    'after',
    `
Examples:
  source <(roster complete bash)                                     in ~/.bashrc
  source <(roster complete zsh)                                      in ~/.zshrc
  roster complete fish > ~/.config/fish/completions/roster.fish`,
  );
}
