import type { Command } from 'commander';
import { described, onService } from '../../terminal/call.ts';
import { writeRecord } from '../../terminal/records.ts';
import type { Terminal } from '../../terminal/terminal.ts';

/** Adds `roster system`. */
export function addSystemCommand(program: Command, terminal: Terminal): void {
  onService(
    terminal,
    described(program.command('system'), 'show the versions and the state of the installation', 'roster system'),
    async ({ operator, output }) => writeRecord(output, await operator.system()),
  );
}
