import type { Config } from '#platform/config/config.ts';
import { localUrl } from '../terminal/session.ts';
import { checkBackups } from './backups.ts';
import { checkCallbacks } from './callbacks.ts';
import { checkClock } from './clock.ts';
import { connectDatabase } from './database.ts';
import { checkCluster } from './servers/cluster.ts';
import { checkDisk } from './disk.ts';
import { checkExportStore } from './export-store.ts';
import { fault, reasonOf, type Finding, type NamedFinding } from './findings/finding.ts';
import { checkLoad } from './load.ts';
import { checkMail } from './mail.ts';
import { checkReplicas } from './servers/replicas.ts';
import { checkSchema } from './schema.ts';
import { checkService } from './service.ts';
import { checkSettings } from './settings.ts';

/** Runs all checks of `roster doctor`. A check that throws counts as a fault. */
export async function runChecks(
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
  // Must be before the next `await`. Otherwise an early failure would be an unhandled rejection.
  const others = Promise.all(checks.map(async ([name, check]) => named(name, await orFault(check))));
  return [...all, ...(await checkDatabase(config, named)), ...(await others).flat()];
}

async function checkDatabase(
  config: Config,
  named: (check: string, found: readonly Finding[]) => NamedFinding[],
): Promise<NamedFinding[]> {
  await using database = await connectDatabase(config);
  const { client, findings } = database;
  const all = named('database', findings);
  if (client === undefined) return all;
  all.push(...named('replicas', await orFault(checkReplicas(client, config))));
  const schema = await orFault(checkSchema(client));
  all.push(...named('migrations', schema), ...named('clock', await orFault(checkClock(client))));
  if (schema.every(({ severity }) => severity === 'ok')) {
    all.push(...named('cluster', await orFault(checkCluster(client, config))));
    all.push(...named('load', await orFault(checkLoad(client, config))));
    all.push(...named('backups', await orFault(checkBackups(client, config))));
  }
  return all;
}

async function orFault(check: Promise<readonly Finding[]>): Promise<readonly Finding[]> {
  try {
    return await check;
  } catch (error) {
    return [fault(`The check itself failed: ${reasonOf(error)}.`, 'The other findings may show why.')];
  }
}
