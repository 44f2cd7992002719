// `npm run demo`: starts the service on a new data directory, fills it with made-up people, and
// prints commands to try.
import { randomBytes } from 'node:crypto';
import { existsSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Command, InvalidArgumentError, Option } from 'commander';
import { quoteForShell } from '../../server/src/app/cli/terminal/shell.ts';
import { loadDemo, type Loaded } from './load.ts';
import { startDemoService, type DemoService } from './service.ts';
import { owner } from './team.ts';

interface Options {
  readonly contacts: number;
  readonly seed: number;
  readonly host: string;
  readonly port: number;
  readonly data: string;
  readonly exit: boolean;
}

const program = new Command('npm run demo --')
  .description(
    'Starts Roster on a new data directory with made-up people: their contacts, two months of activities, and some of everything else.',
  )
  .option('--contacts <number>', 'number of contacts', integer(1, 5_000_000), 100_000)
  .option('--seed <number>', 'random seed; the same seed gives the same people', integer(0, 1_000_000), 1)
  .addOption(new Option('--host <address>', 'address on which the service listens').env('HOST').default('127.0.0.1'))
  .addOption(
    new Option('--port <number>', 'port of the service').env('PORT').argParser(integer(1, 65_535)).default(8080),
  )
  .addOption(
    new Option('--data <directory>', 'data directory; it must be empty or not exist')
      .env('ROSTER_DATA_DIR')
      .default('./data-demo'),
  )
  .option('--exit', 'stop after everything is loaded', false)
  .parse();
const options = program.opts<Options>();
const dataDir = path.resolve(options.data);
if (existsSync(dataDir) && readdirSync(dataDir).length > 0) {
  process.stderr.write(
    `${dataDir} is not empty. Delete it, or choose another directory with --data (ROSTER_DATA_DIR). To start the service that is there:\n  ${restartCommand()}\n`,
  );
  process.exit(2);
}

const print = (text: string): void => void process.stdout.write(`${text}\n`);
// A terminal and npm can both send the signal of one Ctrl-C, so a second signal is ignored.
const interrupt = new AbortController();
let interruptedCode = 0;
for (const [name, code] of [['SIGINT', 130] as const, ['SIGTERM', 143] as const]) {
  process.on(name, () => {
    interruptedCode ||= code;
    interrupt.abort();
  });
}
print(`Starting Roster on ${dataDir} …`);
process.exit(await runDemo());

/**
 * Runs the demo until the service stops. Returns the exit code of the service, or that of the
 * signal if the demo was interrupted before everything was loaded.
 */
async function runDemo(): Promise<number> {
  try {
    return await loadAndServe();
  } catch (error) {
    // Ctrl-C also ends the service, and the news of its end can arrive before the signal.
    await sleep(100);
    if (!interrupt.signal.aborted) throw error;
    print(`Interrupted before everything was loaded. The service is stopped. Delete ${dataDir} before you try again.`);
    return interruptedCode;
  }
}

async function loadAndServe(): Promise<number> {
  // `await using` also stops the service if loading fails.
  await using service = await startDemoService({
    dataDir,
    host: options.host,
    port: options.port,
    apiKey: `rk_${randomBytes(24).toString('base64url')}`,
    signal: interrupt.signal,
    owner,
  });
  const started = performance.now();
  // Midnight, so that all demos of one day have the same data.
  const now = new Date(Math.floor(Date.now() / 86_400_000) * 86_400_000);
  const size = { contacts: options.contacts, seed: options.seed, now };
  const loaded = await loadDemo(service, size, (text) => print(`  ${text}`));
  print(`Loaded in ${Math.round((performance.now() - started) / 1000)} s.`);
  print(thingsToTry(service, loaded, now));
  if (options.exit) service.stop();
  return (await service.ended) ?? 0;
}

function thingsToTry({ url, apiKey, adminToken }: DemoService, loaded: Loaded, at: Date): string {
  const { contacts, activities, lists, segments, example } = loaded;
  const date = (daysAgo: number): string => {
    const [year, month, day] = new Date(at.getTime() - daysAgo * 86_400_000).toISOString().slice(0, 10).split('-');
    return `${day}${month}${year}`;
  };
  const week = { primary_key: example.identity, channel: 'email', from_date: date(9), to_date: date(3) };
  return `
${contacts.toLocaleString('en')} contacts, ${activities.toLocaleString('en')} activities, lists ${lists.join(', ')}, segments ${segments.join(', ')}.

  export URL=${url} KEY=${apiKey} TOKEN=${adminToken}

Open the web console: ${url}/console
  Sign in as ${owner.email} with the password ${owner.password}
Open the documentation: ${url}/docs
Find gold members, newest first:
  curl $URL/v5/contact/audience/search -H "api-key: $KEY" -H 'content-type: application/json' -d '{"audience_type": "segment", "audience_id": ${segments[0]},
    "output": {"get_count": true, "fields": ["EMAIL", "CITY", "LOYALTY_TIER", "LIFETIME_VALUE"], "sorting": [{"field": "created_at", "direction": "desc"}]}}'
List the activities of one person in a week:
  curl "$URL/apiv2?type=export_data&activity=get_user_channel_activity_data&apikey=$KEY" -H 'content-type: application/json' \\
    --data-urlencode 'data=${JSON.stringify(week)}'
Find and count the blacklisted contacts:
  curl $URL/v5/contact/search -H "api-key: $KEY" -H 'content-type: application/json' -d '{"filtering_criteria": [{"condition_details": [
    {"field": "contact_type", "operation": "equals", "value": "blacklisted"}]}], "output": {"get_count": true}}'
Count the contacts of a segment:
  curl -H "authorization: Bearer $TOKEN" $URL/admin/v1/accounts/1/segments/${segments[1]}/count
Show the results of the last requests:
  curl -H "authorization: Bearer $TOKEN" "$URL/admin/v1/accounts/1/requests?limit=3"

Press Ctrl-C to stop the service. To start it again with the same data and keys:
  ${restartCommand()}`;
}

/** Returns the command that starts the service again with the data of the demo. */
function restartCommand(): string {
  const { host, port } = options;
  const settings = {
    ROSTER_DATA_DIR: dataDir,
    ...(host === '127.0.0.1' ? {} : { HOST: host }),
    ...(port === 8080 ? {} : { PORT: String(port) }),
  };
  const assignments = Object.entries(settings).map(([name, value]) => `${name}=${quoteForShell(value)}`);
  return `${assignments.join(' ')} npm start`;
}

function integer(min: number, max: number): (text: string) => number {
  return (text) => {
    const number = Number(text);
    if (!/^\d+$/.test(text) || number < min || number > max)
      throw new InvalidArgumentError(`It must be an integer from ${min} to ${max}.`);
    return number;
  };
}
