// `npm run demo`: the service on a fresh data directory, filled with plausible people, and what to try.
import { randomBytes } from 'node:crypto';
import { existsSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { Command, InvalidArgumentError, Option } from 'commander';
import { shellWord } from '../../server/src/app/cli/terminal/shell-word.ts';
import { loadDemo, type Loaded } from './load.ts';
import { startDemoService, type DemoService } from './service.ts';

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
    'Starts Roster on a fresh data directory with made-up contacts, lists, segments and two months of activities.',
  )
  .option('--contacts <number>', 'how many contacts', wholeNumber(1, 5_000_000), 100_000)
  .option('--seed <number>', 'the same number makes the same people', wholeNumber(0, 1_000_000), 1)
  .addOption(new Option('--host <address>', 'where the service listens').env('HOST').default('127.0.0.1'))
  .addOption(
    new Option('--port <number>', 'port of the service').env('PORT').argParser(wholeNumber(1, 65_535)).default(8080),
  )
  .addOption(
    new Option('--data <directory>', 'where it keeps its data; must not exist, or be empty')
      .env('ROSTER_DATA_DIR')
      .default('./data-demo'),
  )
  .option('--exit', 'stop when everything is loaded', false)
  .parse();
const options = program.opts<Options>();
const dataDir = path.resolve(options.data);
if (existsSync(dataDir) && readdirSync(dataDir).length > 0) {
  process.stderr.write(
    `${dataDir} is not empty. Delete it, choose another directory with --data (ROSTER_DATA_DIR), or start what is there:\n  ${startAgain()}\n`,
  );
  process.exit(2);
}

const say = (text: string): void => void process.stdout.write(`${text}\n`);
// A terminal and npm may both pass on the same Ctrl-C: the second signal means no more than the first.
const interrupt = new AbortController();
let interruptedCode = 0;
for (const [name, code] of [['SIGINT', 130] as const, ['SIGTERM', 143] as const]) {
  process.on(name, () => {
    interruptedCode ||= code;
    interrupt.abort();
  });
}
say(`Starting Roster on ${dataDir} …`);
process.exit(await demonstrate());

/** Runs the service until it is told to end, and answers the exit code: that of the service, or that of the signal when not everything was loaded. */
async function demonstrate(): Promise<number> {
  try {
    return await loadAndServe();
  } catch (error) {
    if (!interrupt.signal.aborted) throw error;
    say(`Interrupted: the service is stopped, and not everything is loaded. Delete ${dataDir} before you try again.`);
    return interruptedCode;
  }
}

async function loadAndServe(): Promise<number> {
  // Ended also when the loading fails: nobody would know of the service that keeps the port.
  await using service = await startDemoService({
    dataDir,
    host: options.host,
    port: options.port,
    apiKey: `rk_${randomBytes(24).toString('base64url')}`,
    signal: interrupt.signal,
  });
  const started = performance.now();
  // Midnight, so that a day of making demonstrations makes the same one.
  const now = new Date(Math.floor(Date.now() / 86_400_000) * 86_400_000);
  const size = { contacts: options.contacts, seed: options.seed, now };
  const loaded = await loadDemo(service, size, (text) => say(`  ${text}`));
  say(`Loaded in ${Math.round((performance.now() - started) / 1000)} s.`);
  say(thingsToTry(service, loaded, now));
  if (options.exit) service.stop();
  return (await service.ended) ?? 0;
}

function thingsToTry({ url, apiKey, adminToken }: DemoService, loaded: Loaded, at: Date): string {
  const { contacts, activities, lists, segments, example } = loaded;
  const date = (daysAgo: number): string => {
    const [year, month, day] = new Date(at.getTime() - daysAgo * 86_400_000).toISOString().slice(0, 10).split('-');
    return `${day}${month}${year}`;
  };
  const week = { primary_key: example.identity, channel: 'email', from_date: date(16), to_date: date(10) };
  return `
${contacts.toLocaleString('en')} contacts, ${activities.toLocaleString('en')} activities, lists ${lists.join(', ')}, segments ${segments.join(', ')}.

  export URL=${url} KEY=${apiKey} TOKEN=${adminToken}

Browse the interface:      ${url}/docs
Gold members, newest first:
  curl $URL/v5/contact/audience/search -H "api-key: $KEY" -H 'content-type: application/json' -d '{"audience_type": "segment", "audience_id": ${segments[0]},
    "output": {"get_count": true, "fields": ["EMAIL", "CITY", "LOYALTY_TIER", "LIFETIME_VALUE"], "sorting": [{"field": "created_at", "direction": "desc"}]}}'
What one person got and did in a week:
  curl "$URL/apiv2?type=export_data&activity=get_user_channel_activity_data&apikey=$KEY" -H 'content-type: application/json' \\
    --data-urlencode 'data=${JSON.stringify(week)}'
Who left, and how many:
  curl $URL/v5/contact/search -H "api-key: $KEY" -H 'content-type: application/json' -d '{"filtering_criteria": [{"condition_details": [
    {"field": "contact_type", "operation": "equals", "value": "blacklisted"}]}], "output": {"get_count": true}}'
How many a segment has:
  curl -H "authorization: Bearer $TOKEN" $URL/admin/v1/accounts/1/segments/${segments[1]}/count
What became of the requests:
  curl -H "authorization: Bearer $TOKEN" "$URL/admin/v1/accounts/1/requests?limit=3"

Ctrl-C stops it. To start it again with the same data and keys:
  ${startAgain()}`;
}

/** The command that starts the service again on the data of the demonstration. */
function startAgain(): string {
  const { host, port } = options;
  const settings = {
    ROSTER_DATA_DIR: dataDir,
    ...(host === '127.0.0.1' ? {} : { HOST: host }),
    ...(port === 8080 ? {} : { PORT: String(port) }),
  };
  const assignments = Object.entries(settings).map(([name, value]) => `${name}=${shellWord(value)}`);
  return `${assignments.join(' ')} npm start`;
}

function wholeNumber(min: number, max: number): (text: string) => number {
  return (text) => {
    const number = Number(text);
    if (!/^\d+$/.test(text) || number < min || number > max)
      throw new InvalidArgumentError(`It must be an integer from ${min} to ${max}.`);
    return number;
  };
}
