import { Option } from 'commander';
import type { RosterCommand } from '../terminal/command.ts';
import { CommandError, exitCodes } from '../terminal/exit-codes.ts';
import { createOutput, paint } from '../terminal/output.ts';
import type { Terminal } from '../terminal/terminal.ts';
import type { NamedFinding, Severity } from '../doctor/findings/finding.ts';

/** Adds `roster doctor`, which checks what the service needs and says what to fix. */
export function addDoctorCommand(program: RosterCommand): void {
  const { terminal } = program;
  program
    .command('doctor')
    .description('check settings, disk, database, migrations, clock, mail, callbacks, export store and backups')
    .addOption(new Option('--url <url>', 'address of the service (default: on this machine)').env('ROSTER_URL'))
    .option('--json', 'write the findings as JSON')
    .addHelpText(
      'after',
      `
Run it on the machine of the service, with the same settings. It also works if the service or the
database is down. It starts nothing and changes nothing.

Example:
  roster doctor --json | jq '.findings[] | select(.severity != "ok")'`,
    )
    .action(async ({ url, json }: { url?: string; json?: boolean }) => {
      const output = createOutput(terminal, json === true);
      // Loaded only when needed: the checks load most of the service.
      const { runChecks } = await import('../doctor/run-checks.ts');
      const findings = await runChecks(process.env, url);
      const faults = findings.filter(({ severity }) => severity === 'fault').length;
      await output.result({ faults, findings }, () => findings.map((one) => shown(one, terminal)).join('\n'));
      if (faults > 0) {
        throw new CommandError(exitCodes.failed, faults === 1 ? 'Found 1 fault.' : `Found ${faults} faults.`);
      }
    });
}

const marks: Readonly<Record<Severity, readonly [string, 'green' | 'blue' | 'yellow' | 'red']>> = {
  ok: ['✓', 'green'],
  note: ['·', 'blue'],
  warning: ['!', 'yellow'],
  fault: ['✗', 'red'],
};

function shown({ check, severity, message, advice }: NamedFinding, terminal: Terminal): string {
  const [mark, colour] = marks[severity];
  const line = `${paint(colour, mark, terminal)} ${check.padEnd(12)} ${message}`;
  return advice === undefined ? line : `${line}\n${' '.repeat(15)}${advice}`;
}
