// What people and programs do with the demo in a usual week, so that no page of the console is empty.
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { openPool } from '../../server/src/platform/database/connection/database.ts';
import { runningServerUrl } from '../../server/src/platform/database/embedded-postgres.ts';
import { createLogger } from '../../server/src/platform/observability/logger.ts';
import type { DemoService } from './service.ts';
import type { Team } from './team.ts';

/** The audiences that {@link fillEveryPage} uses. */
export interface Audiences {
  readonly newsletter: number;
  readonly gold: number;
  readonly bigSpenders: number;
}

/** Adds some of everything: imports, exports, bulk changes, keys, sign-ups, erasures, … */
export async function fillEveryPage(service: DemoService, team: Team, audiences: Audiences): Promise<void> {
  await Promise.all([
    importLeads(team),
    followGold(team, audiences).then(() => changeMany(team, audiences)),
    exportAudiences(service, team, audiences),
    saveViews(team),
    createKeys(team),
    indexCity(team),
    backUp(service),
  ]);
  await signUp(service, audiences);
  await subscribeToEvents(service, team, async () => {
    await keepPrivacy(team);
    await sendWithFaults(service);
  });
}

/**
 * Sends the events of some changes to a receiver, which is gone afterwards. Another subscription is
 * paused.
 */
async function subscribeToEvents(
  { account, signal }: DemoService,
  { owner }: Team,
  change: () => Promise<void>,
): Promise<void> {
  await account.update({ settings: { events: true } });
  const receiver = createServer((request, response) => {
    request.resume();
    response.writeHead(204).end();
  }).listen(0, '127.0.0.1');
  await once(receiver, 'listening', { signal });
  const received = once(receiver, 'request', { signal });
  const url = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/roster-events`;
  await owner.eventSubscriptions.create({ name: 'Data warehouse', url, fields: ['EMAIL', 'CITY'] });
  const { subscription_id: id } = await owner.eventSubscriptions.create({
    name: 'Opt-outs for the call centre',
    url: 'https://calls.example.com/opt-outs',
    kinds: ['contact.opted_out', 'contact.blacklisted', 'contact.erased'],
    filter: {
      filtering_criteria: [
        { condition_details: [{ field: 'LOYALTY_TIER', operation: 'equals', value: ['gold', 'platinum'] }] },
      ],
    },
    when_failed: 'continue',
  });
  await owner.eventSubscriptions.update(id, { paused: true });
  await change();
  await received;
  receiver.close();
  receiver.closeAllConnections();
}

async function indexCity({ owner }: Team): Promise<void> {
  const attributes = await owner.attributes.list().all();
  await owner.attributes.index(attributes.find(({ name }) => name === 'CITY')!.id, true);
}

const leads = `Email;First name;City;Signed up;Source
maria.keller@example.com;Maria;Hamburg;03.09.2025;Trade fair
paul.brandt@example;Paul;Berlin;03.09.2025;Trade fair
lena.vogel@example.com;Lena;München;03.09.2025;Trade fair
jan.krause@example.com;Jan;Köln;31.02.2025;Trade fair
;Sofie;Leipzig;04.09.2025;Trade fair
tim.seidel@example.com;Tim;Bremen;04.09.2025;Recommended
nina.roth(at)example.com;Nina;Dresden;04.09.2025;Recommended
felix.arndt@example.com;Felix;Stuttgart;04.09.2099;Recommended
ida.lorenz@example.com;Ida;Hannover;05.09.2025;Recommended
emil.haas@example.com;Emil;Nürnberg;05.09.2025;Recommended
`;

/** Checks a file with a dry run, and imports it. Some of its rows are wrong. */
async function importLeads({ editor }: Team): Promise<void> {
  for (const dry_run of [true, false]) {
    const { import_id: id } = await editor.imports.create({
      file_name: 'trade-fair-leads.csv',
      columns: {
        Email: 'EMAIL',
        'Signed up': { field: 'CREATED_AT', date_format: 'dmy' },
        Source: { field: 'SOURCE', data_type: 'text' },
      },
      dry_run,
    });
    await editor.imports.send(id, leads);
    await editor.imports.wait(id);
  }
}

/** Follows who becomes a gold member, before the next step makes some. */
async function followGold({ editor }: Team, { gold }: Audiences): Promise<void> {
  await editor.segments.update(gold, { live: true });
  while ((await editor.segments.get(gold)).live?.state !== 'following') await setTimeout(100);
}

async function changeMany({ editor }: Team, { bigSpenders }: Audiences): Promise<void> {
  const expected_count = await editor.segments.count(bigSpenders);
  const { bulk_change_id: id } = await editor.bulkChanges.create({
    audience_type: 'segment',
    audience_id: [bigSpenders],
    action: { type: 'set_attribute', attribute: 'LOYALTY_TIER', value: 'gold' },
    expected_count,
  });
  await editor.bulkChanges.wait(id);
}

/**
 * Exports with callbacks: one arrives, and the receiver of the next one is away until Roster gives
 * up. Then a schedule and its first run.
 */
async function exportAudiences(service: DemoService, { editor }: Team, audiences: Audiences): Promise<void> {
  const { roster, signal } = service;
  const receiver = createServer((_request, response) => response.writeHead(204).end()).listen(0, '127.0.0.1');
  await once(receiver, 'listening', { signal });
  const received = once(receiver, 'request', { signal });
  const endpoint = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/exports`;
  const attributes = ['EMAIL', 'FIRST_NAME', 'CITY', 'LOYALTY_TIER'];
  await editor.exports.create({
    audience_type: 'list',
    audience_id: audiences.newsletter,
    attributes,
    blocklist_type: 'email',
    notify_email: 'lucas@example.com',
    callback: { url: endpoint, body: { job: 'newsletter' } },
  });
  await received;
  receiver.close();
  receiver.closeAllConnections();
  const goldMembers = await roster.audiences.export({
    audience_details: { audience_type: 'segment', audience_id: audiences.gold, attributes_needed: attributes },
    callback_details: { endpoint, body: { job: 'gold-members' } },
  });
  await editor.exports.wait(goldMembers);
  await giveUpCallbacks(service);
  const { schedule_id: schedule } = await editor.exportSchedules.create({
    name: 'Gold members, every morning',
    audience_type: 'segment',
    audience_id: audiences.gold,
    attributes,
    timing: { every: 'day', at: '06:30' },
  });
  await editor.exportSchedules.create({
    name: 'All contacts, weekly copy',
    filter: {},
    compression: 'gzip',
    timing: { every: 'week', weekdays: ['monday'], at: '02:00' },
  });
  const { request_id: run } = await editor.exportSchedules.run(schedule);
  await editor.exports.wait(run!);
}

/**
 * Makes the callbacks that wait older than a day, because Roster retries for a day. The next attempt
 * is the last one.
 */
async function giveUpCallbacks({ dataDir }: DemoService): Promise<void> {
  const url = await runningServerUrl(dataDir);
  const log = createLogger({ logLevel: 'error', logFormat: 'json' }, 'demo', process.stderr);
  const pool = openPool({ url: url!, name: 'roster demo', size: 1, log });
  try {
    await pool.query(
      "update deliveries set cycle_started_at = cycle_started_at - interval '25 hours' where status = 'pending'",
    );
  } finally {
    await pool.end();
  }
}

async function backUp(demo: DemoService): Promise<void> {
  await demo.run('backup', '--to', path.join(demo.dataDir, 'backups'));
}

async function saveViews({ editor, owner }: Team): Promise<void> {
  await editor.views.create({
    name: 'Gold members in India',
    page: 'contacts',
    state: {
      filter: ['and', ['and', ['LOYALTY_TIER', 'equals', 'gold'], ['COUNTRY', 'equals', 'India']]],
      columns: 'EMAIL,FIRST_NAME,CITY,ORDERS,LAST_ORDER_ON',
      sort: '-ORDERS',
    },
    shared: true,
  });
  await owner.views.create({ name: 'Finished', page: 'exports', state: { status: 'completed' }, shared: true });
}

async function createKeys({ owner }: Team): Promise<void> {
  const in90Days = new Date(Date.now() + 90 * 86_400_000).toISOString();
  await owner.apiKeys.create({ name: 'Web shop', scopes: ['contacts:read', 'contacts:write'] });
  await owner.apiKeys.create({ name: 'Mail service', scopes: ['activity:write', 'contacts:read', 'segments:read'] });
  await owner.apiKeys.create({ name: 'Data warehouse', scopes: ['export', 'exports:read'], expires_at: in90Days });
  const { api_key_id: old } = await owner.apiKeys.create({ name: 'Old web shop' });
  await owner.apiKeys.revoke(old);
}

/** Sends contacts by the API, as the web shop does. It still knows a person who was erased. */
async function sendWithFaults({ roster, account }: DemoService): Promise<void> {
  const { requests } = await roster.contacts.create([
    { identity: 'zoe.fontaine@example.com', attributes: { FIRST_NAME: 'Zoé', CITY: 'Lyon' } },
    { identity: 'tim.seidel@example.com', attributes: { FIRST_NAME: 'Tim' } },
    { identity: 'ravi.menon@example.com', attributes: { FIRST_NAME: 'Ravi', ORDERS: 'many' } },
    { identity: 'ana.ruiz@example.com', attributes: { FIRST_NAME: 'Ana', NICKNAME: 'Anita' } },
  ]);
  await account.requests.wait(requests[0]!.request_id);
}

async function signUp({ account }: DemoService, { newsletter }: Audiences): Promise<void> {
  for (const name of ['Amira', 'Björn', 'Chiara']) {
    await account.signUps.create({
      email: `${name
        .normalize('NFD')
        .replaceAll(/[^a-z]/gi, '')
        .toLowerCase()}@example.com`,
      attributes: { FIRST_NAME: name },
      audience_details: [{ audience_id: [newsletter], audience_type: 'list' }],
    });
  }
}

/** A person asks for the data, another wants to be forgotten, a third must not get mail anymore. */
async function keepPrivacy({ privacy, editor }: Team): Promise<void> {
  const [asks, leaves, blocked] = await Promise.all(
    ['maria.keller', 'tim.seidel', 'emil.haas'].map(async (name) => {
      const { data } = await privacy.contacts.find(`${name}@example.com`);
      return data[0]!.contact_id;
    }),
  );
  await privacy.contacts.export(asks!);
  const { request_id: erasure } = await privacy.contacts.erase(leaves!);
  await editor.contacts.block(blocked!);
  await privacy.erasures.wait(erasure);
}
