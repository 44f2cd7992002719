import { Option, type Command } from 'commander';
import type { Config } from '../config/config.ts';
import { checkCallbacks } from './doctor/callbacks.ts';
import { checkClock } from './doctor/clock.ts';
import { connectDatabase } from './doctor/database.ts';
import { checkDisk } from './doctor/disk.ts';
import { checkExportStore } from './doctor/export-store.ts';
import { fault, reasonOf, type Finding, type Severity } from './doctor/finding.ts';
import { checkLoad } from './doctor/load.ts';
import { checkMail } from './doctor/mail.ts';
import { checkSchema } from './doctor/schema.ts';
import { checkService } from './doctor/service.ts';
import { checkSettings } from './doctor/settings.ts';
import { CommandError, exitCodes } from './exit-codes.ts';
import { createOutput, paint } from './output.ts';
import { localUrl } from './session.ts';
import type { Terminal } from './terminal.ts';

/** A finding with the part of the service that it is about. */
export type NamedFinding = Finding & { readonly check: string };

/** `roster doctor`: looks at everything that the service needs, and says what to fix. It starts and changes nothing. */
export function addDoctorCommand(program: Command, terminal: Terminal): void {
  program
    .command('doctor')
    .description('check settings, disk, database, migrations, clock, mail, callbacks and the store of exports')
    .addOption(new Option('--url <url>', 'address of the service (default: the one on this machine)').env('ROSTER_URL'))
    .option('--json', 'write JSON')
    .addHelpText(
      'after',
      '\nRun it on the machine of the service, with the same settings. It works while the service or the database is down.',
    )
    .action(async ({ url, json }: { url?: string; json?: boolean }) => {
      const output = createOutput(terminal, json === true);
      const findings = await examine(process.env, url);
      const faults = findings.filter(({ severity }) => severity === 'fault').length;
      await output.result({ faults, findings }, () => findings.map((one) => shown(one, terminal)).join('\n'));
      if (faults > 0) {
        const text = faults === 1 ? 'There is one fault.' : `There are ${faults} faults.`;
        throw new CommandError(exitCodes.failed, text);
      }
    });
}

/** Runs every check; one that fails itself is a fault, and the others go on. */
export async function examine(
  env: Readonly<Record<string, string | undefined>>,
  url?: string,
): Promise<readonly NamedFinding[]> {
  const { config, findings } = checkSettings(env);
  const named = (check: string, found: readonly Finding[]): NamedFinding[] => found.map((one) => ({ check, ...one }));
  const all = named('settings', findings);
  if (config === undefined) return url === undefined ? all : [...all, ...named('service', await checkService(url))];
  const checks: readonly (readonly [string, Promise<readonly Finding[]>])[] = [
    ['disk', checkDisk(config)],
    ['mail', checkMail(config)],
    ['callbacks', checkCallbacks(config)],
    ['export store', checkExportStore(config)],
    ['service', checkService(url ?? localUrl(config))],
  ];
  // Each is watched from the beginning: one that fails early must not end the process.
  const others = Promise.all(checks.map(async ([name, check]) => named(name, await guarded(check))));
  return [...all, ...(await examineDatabase(config, named)), ...(await others).flat()];
}

async function examineDatabase(
  config: Config,
  named: (check: string, found: readonly Finding[]) => NamedFinding[],
): Promise<NamedFinding[]> {
  await using database = await connectDatabase(config);
  const { client, findings } = database;
  const all = named('database', findings);
  if (client === undefined) return all;
  const schema = await guarded(checkSchema(client));
  all.push(...named('migrations', schema), ...named('clock', await guarded(checkClock(client))));
  if (schema.every(({ severity }) => severity === 'ok')) all.push(...named('load', await guarded(checkLoad(client))));
  return all;
}

async function guarded(check: Promise<readonly Finding[]>): Promise<readonly Finding[]> {
  try {
    return await check;
  } catch (error) {
    return [fault(`It could not be checked: ${reasonOf(error)}.`, 'The other findings may say why.')];
  }
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
