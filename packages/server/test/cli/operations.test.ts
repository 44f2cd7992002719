import { mkdtempDisposable, readFile, stat, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { operationTable, type Operation } from '@roster/contract/operations';
import { afterAll, describe, expect, test, vi } from 'vitest';
import { parseAllowList } from '#platform/config/allow-list.ts';
import { insertUser } from '#features/users/store/user-store.ts';
import { putMembership } from '#features/users/store/membership-store.ts';
import { keep } from '../derived-attributes/support.ts';
import { deliver } from '../callbacks/support.ts';
import { startReceiver } from '../callbacks/receiver.ts';
import { writeDeadLetter } from '../event-subscriptions/support.ts';
import { writeMail } from '../mails/support.ts';
import { testAdminToken } from '../support/context.ts';
import { forFile } from '../support/for-file.ts';
import { listening } from '../support/listening.ts';
import { startTestService } from '../support/service.ts';
import { run, withoutInterruptListeners, type CommandResult } from './in-process.ts';

/** The method and path of each request that succeeded. */
const called = new Set<string>();

const send = globalThis.fetch;
vi.stubGlobal('fetch', async (input: URL, init?: RequestInit) => {
  const response = await send(input, init);
  if (response.ok) called.add(`${init?.method ?? 'GET'} ${new URL(input).pathname}`);
  return response;
});
const { path: directory } = await forFile(mkdtempDisposable(path.join(os.tmpdir(), 'roster-cli-')));
const service = await forFile(startTestService({ config: { callbackAllow: parseAllowList('127.0.0.0/8') } }));
let jobs = service.startJobs();
afterAll(() => jobs[Symbol.asyncDispose]());
const place = ['--url', await listening(service), '--token', testAdminToken];
afterAll(() => vi.unstubAllGlobals());

const words = (command: string): string[] => command.match(/'[^']*'|\S+/g)!.map((word) => word.replaceAll("'", ''));
/** Runs a command for account 1, as it is typed. */
const roster = (command: string, input = ''): Promise<CommandResult> =>
  run(
    [...words(command), ...place, ...(/^(accounts|owner|user|system)\b/.test(command) ? [] : ['--account', '1'])],
    input,
  );
/** Runs a command that must succeed, and returns its text. */
async function text(command: string, input = ''): Promise<string> {
  const { code, stdout, stderr } = await roster(command, input);
  expect({ command, code, stderr: code === 0 ? '' : stderr }).toEqual({ command, code: 0, stderr: '' });
  return stdout;
}
/** Runs a command with --json that must succeed, and returns its result. */
const json = async <T>(command: string, input = ''): Promise<T> =>
  JSON.parse(await text(`${command} --json`, input)) as T;
async function file(name: string, content: unknown): Promise<string> {
  const target = path.join(directory, name);
  await writeFile(target, typeof content === 'string' ? content : JSON.stringify(content));
  return target;
}

const inPune = [{ condition_details: [{ field: 'CITY', operation: 'equals', value: ['Pune'] }] }];
const lines = (...records: object[]): string => records.map((one) => `${JSON.stringify(one)}\n`).join('');
const nowhere = '019a9d3e-7c1b-7f3a-9b52-2f3c8b1d0a11';

describe('contacts in the command line', () => {
  test('contacts are created from NDJSON and arrays, and the outcome names each item that failed', async () => {
    const good = lines(
      { identity: 'asha@example.com', attributes: { CITY: 'Pune' } },
      { identity: 'ravi@example.com', mobile: '919812345678', attributes: { CITY: 'Goa' } },
    );
    expect(await text('contacts create', good)).toMatch(/^total +2\ncreated +2\n$/);
    const bad = [
      { identity: 'mei@example.com', email: 'other@example.com', attributes: { NO_SUCH_NAME: 1 } },
      { identity: 'lena@example.com' },
    ];
    const failed = await roster('contacts create -', JSON.stringify(bad));
    expect([failed.code, failed.stderr]).toEqual([5, 'One item failed.\n']);
    expect(failed.stdout).toMatch(
      /^total +2\ncreated +1\nfailed +1\n\nITEM +CODE +FIELD +REASON\n0 +identity_mismatch/,
    );
    const asJson = await roster('contacts create --json', JSON.stringify(bad));
    expect(asJson.code).toBe(5);
    expect(JSON.parse(asJson.stdout)).toMatchObject({
      requests: [expect.any(String)],
      counts: { total: 2, unchanged: 1, failed: 1 },
      failures: [{ index: 0, code: 'identity_mismatch' }],
    });
    const anonymous = await json<{ count: number; requests: string[] }>(
      'contacts create --type anonymous --no-wait',
      '{}',
    );
    expect(anonymous).toEqual({ count: 1, requests: [expect.any(String)] });
    await text(`requests wait ${anonymous.requests[0]}`);
  });

  test('failures of a file with several requests have the numbers of the items in the file', async () => {
    const many = Array.from({ length: 1500 }, (_, n) => ({ identity: `many${n}@example.com` }));
    const bad = { identity: 'last@example.com', email: 'other@example.com' };
    const { code, stdout } = await roster(`contacts create ${await file('many.ndjson', lines(...many, bad))} --json`);
    const { requests, counts, failures } = JSON.parse(stdout) as {
      requests: string[];
      counts: object;
      failures: object[];
    };
    expect([code, requests.length]).toEqual([5, 2]);
    expect(counts).toMatchObject({ total: 1501, created: 1500, failed: 1 });
    expect(failures).toMatchObject([{ index: 1500, code: 'identity_mismatch' }]);
    await text('contacts delete --yes', lines(...many));
  });

  test('contacts are updated and deleted, after a question', async () => {
    expect(await text('contacts update', lines({ email: 'ravi@example.com', attributes: { CITY: 'Pune' } }))).toMatch(
      /updated +1/,
    );
    const asked = await roster('contacts delete', lines({ identity: 'lena@example.com' }));
    expect([asked.code, asked.stderr]).toEqual([2, expect.stringContaining('Confirm with --yes')]);
    expect(await text('contacts delete -y', lines({ identity: 'lena@example.com' }))).toMatch(/deleted +1/);
  });

  test.each([
    ['{"identity": "a@example.com"}\n{"identity": ', 'Line 2 of standard input is not valid JSON'],
    ['[{"identity": "a@example.com"}', 'standard input is not valid JSON'],
    ['"a@example.com"', 'standard input must contain JSON objects, not "a@example.com".'],
    ['[1]', 'standard input must contain JSON objects, not 1.'],
  ])('the input %j is refused with the place of the fault', async (input, message) => {
    const { code, stdout, stderr } = await roster('contacts create', input);
    expect([code, stdout, stderr]).toEqual([2, '', expect.stringContaining(message)]);
  });

  test('an empty input sends nothing, and a file that cannot be read is named', async () => {
    expect(await json('contacts create', '\n')).toEqual({
      requests: [],
      counts: expect.objectContaining({ total: 0 }),
      failures: [],
    });
    const missing = await roster('contacts create nowhere.ndjson');
    expect([missing.code, missing.stderr]).toEqual([1, 'nowhere.ndjson cannot be read: there is no such file\n']);
  });

  test('contacts are searched with a filter, in an audience, and counted', async () => {
    const filter = await file('filter.json', { filtering_criteria: inPune, output: { fields: ['CITY'] } });
    expect(await text(`contacts search ${filter} --fields identity,CITY --sort identity:desc`)).toBe(
      'identity          CITY\nravi@example.com  Pune\nasha@example.com  Pune\n',
    );
    expect(await json(`contacts search ${filter} --limit 1`)).toEqual([{ CITY: 'Pune' }]);
    const limited = await roster(
      'contacts search - --limit 1 --fields identity --sort identity',
      JSON.stringify(inPune),
    );
    expect([limited.stdout.split('\n')[1], limited.stderr]).toEqual([
      'asha@example.com',
      'There are more. --limit shows more than 1 rows, or all.\n',
    ]);
    expect(await text(`contacts search ${filter} --count`)).toBe('2\n');
    await text('contacts update', lines({ identity: 'asha@example.com', audience_details: [{ audience_id: [1] }] }));
    expect(await text('contacts search --list 1 --fields identity')).toBe('identity\nasha@example.com\n');
    expect(await text('contacts search --list 1 --count')).toBe('1\n');
    expect(await roster('contacts search --list 1 --segment 2')).toMatchObject({ code: 2, stdout: '' });
    const misspelled = await file('misspelled.json', { filtering_criterias: inPune });
    expect(await roster(`contacts search ${misspelled}`)).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('must contain a filter'),
    });
    const unknown = await file('unknown.json', { filtering_criteria: inPune, condition_operators: 'or' });
    expect(await roster(`contacts search ${unknown}`)).toMatchObject({ code: 3, stdout: '' });
  });

  test('a contact is found by each of its identifiers, shown, changed, blocked, exported and erased', async () => {
    expect(await text('contacts find asha')).toMatch(/asha@example.com +identified/);
    const shown = await text('contacts show 919812345678');
    expect(shown).toMatch(/^identity +ravi@example.com$/m);
    expect(shown).toMatch(/^CITY +Pune$/m);
    const { contact_id: id } = await json<{ contact_id: number }>('contacts show ravi@example.com');
    expect(await json(`contacts show ${id}`)).toMatchObject({ contact_id: id, mobile: '919812345678' });
    expect(await roster('contacts show nobody@example.com')).toMatchObject({
      code: 3,
      stderr: expect.stringContaining('There is no contact nobody@example.com in account 1'),
    });

    const change =
      'contacts change ravi@example.com --attribute CITY=Goa --attribute GENDER= --add-to-list 1 --opt-out sms';
    expect(await text(change)).toBe(`Changed contact ${id}.\n`);
    const changed = await json<{ lists: object[]; opt_outs: object[] }>(`contacts show ${id}`);
    expect(changed.lists).toMatchObject([{ audience_id: 1 }]);
    expect(changed.opt_outs).toContainEqual(expect.objectContaining({ channel: 'sms', opted_out: true }));
    expect(await roster(`contacts change ${id}`)).toMatchObject({ code: 2, stdout: '' });
    expect(await roster(`contacts change ${id} --attribute CITY`)).toMatchObject({ code: 2, stdout: '' });

    expect(await text(`contacts block ${id}`)).toBe(`Contact ${id} is now blacklisted.\n`);
    expect(await text(`contacts unblock ${id}`)).toBe(`Contact ${id} is now identified.\n`);
    expect(await text(`contacts timeline ${id} --kinds opted_out`)).toMatch(/opted_out +sms/);

    const target = path.join(directory, 'ravi.json');
    await text(`contacts export ${id} -o ${target}`);
    expect(JSON.parse(await readFile(target, 'utf8'))).toMatchObject({ contact: { contact_id: id } });
    expect((await stat(target)).mode & 0o777).toBe(0o600);
    expect(JSON.parse(await text(`contacts export ${id}`))).toMatchObject({ contact: { contact_id: id } });

    expect(await roster(`contacts erase ${id}`)).toMatchObject({ code: 2, stdout: '' });
    expect(await text(`contacts erase ${id} --yes`)).toBe(`Erased contact ${id}.\n`);
    const [erasure] = await json<{ request_id: string }[]>('erasures list');
    expect(await text(`erasures show ${erasure!.request_id}`)).toMatch(/^status +done$/m);
    expect(await text('forgotten count')).toBe('1\n');
    expect(await roster('forgotten undo')).toMatchObject({ code: 2 });
    expect(await text('forgotten undo --email ravi@example.com')).toBe('1 person can be stored again.\n');
  });
});

describe('lists, segments and attributes in the command line', () => {
  test('a list is created, shown and listed with its members', async () => {
    const { audience_id: id } = await json<{ audience_id: number }>('lists create News');
    expect(await text(`lists rename ${id} 'News of May'`)).toContain('News of May');
    expect(await text(`lists show ${id}`)).toMatch(/^name +News of May$/m);
    expect(await text('lists list --contains May')).toMatch(/^LIST +NAME.*\n\d+ +News of May/);
    expect(await text('lists contacts 1 --fields identity')).toBe('identity\nasha@example.com\n');
    expect(await text(`lists growth ${id} --days 2`)).toMatch(/^DAY +JOINED +LEFT +MEMBERS\n/);
    await text(`lists delete ${id} -y`);
  });

  test('a segment is created from a filter, counted, changed and deleted', async () => {
    const made = await json<{ audience_id: number }>('segments create Pune', JSON.stringify(inPune));
    const id = made.audience_id;
    expect(await text(`segments count ${id}`)).toBe('1\n');
    expect(await text(`segments contacts ${id} --fields identity`)).toBe('identity\nasha@example.com\n');
    expect(await text(`segments rename ${id} 'In Pune'`)).toBe(`Segment ${id} is now "In Pune".\n`);
    const filter = await file('goa.json', {
      filtering_criteria_operator: 'or',
      filtering_criteria: [{ condition_details: [{ field: 'CITY', operation: 'equals', value: ['Goa'] }] }],
      output: { fields: ['EMAIL'] },
    });
    expect(await text(`segments update ${id} --filter ${filter} --name Goa`)).toBe(`Changed segment ${id}.\n`);
    const shown = await text(`segments show ${id}`);
    expect(shown).toMatch(/^name +Goa$/m);
    expect(shown).toContain('"Goa"');
    expect(await json(`segments show ${id}`)).toMatchObject({ name: 'Goa', filtering_criteria_operator: 'or' });
    expect(await text('segments list --contains goa')).toMatch(/^SEGMENT +NAME +LIVE +USED BY +UPDATED\n\d+ +Goa/);
    expect(await text(`segments update ${id} --live`)).toBe(`Changed segment ${id}.\n`);
    expect(await text('segments list')).toMatch(/Goa +filling/);
    expect(await text(`segments changes ${id}`)).toMatch(/^CONTACT +CHANGE +CAUSE +AT/);
    await text(`segments update ${id} --no-live`);
    expect(await json(`segments show ${id}`)).toMatchObject({ live: null });
    expect(await text(`segments growth ${id}`)).toMatch(/^DAY +CONTACTS/);
    expect(await roster(`segments update ${id}`)).toMatchObject({ code: 2, stdout: '' });
    expect(await roster('segments create Broken', '{"filtering_criteria": [{"condition_details": []}]}')).toMatchObject(
      {
        code: 3,
        stderr: expect.stringContaining('filtering_criteria[0].condition_details'),
      },
    );
    await text(`segments delete ${id} --yes`);
    expect(await json('segments list')).toEqual([]);
  });

  test('an attribute is created, changed, indexed and deleted, and errors name the options', async () => {
    await text('attributes create TIER --type text --masking partial');
    const again = await roster('attributes create TIER --type text');
    expect([again.code, again.stdout, again.stderr]).toEqual([
      3,
      '',
      expect.stringContaining('already has an attribute TIER'),
    ]);
    expect(await roster('attributes create OTHER')).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('--type'),
    });
    const wrong = await roster('attributes create AGE --type number --default old');
    expect([wrong.code, wrong.stderr]).toEqual([3, expect.stringContaining('--default must be')]);
    expect(await text(`attributes update TIER --new-name LOYALTY_TIER --category behaviour --mapping ''`)).toMatch(
      /^name +LOYALTY_TIER$/m,
    );
    expect(await text('attributes list')).toMatch(/LOYALTY_TIER +text +behaviour +partial/);
    expect(await text('attributes search LOYALTY --type text')).toMatch(/LOYALTY_TIER/);
    expect(await text('attributes show loyalty_tier')).toMatch(/^name +LOYALTY_TIER$/m);
    expect(await roster('attributes show NOTHING')).toMatchObject({ code: 3 });
    expect(await text('attributes values CITY')).toBe('VALUE  CONTACTS\nPune   1\n');
    expect(await text('attributes usage CITY LOYALTY_TIER')).toMatch(/^CITY +1/m);
    expect(await text('attributes index CITY')).toMatch(/^The index of CITY: (building|ready)\.\n$/);
    expect(await text('attributes index CITY --remove')).toBe('The index of CITY: none.\n');
    expect(await roster('attributes delete CITY --yes')).toMatchObject({ code: 3 });
    expect(await text('attributes delete LOYALTY_TIER --yes')).toBe('Deleted LOYALTY_TIER.\n');
  });
});

describe('work in the command line', () => {
  test('activities are recorded, and appear in the statistics', async () => {
    const activity = { identity: 'asha@example.com', channel: 'email', message_id: 4711, msg_name: 'Winter' };
    const at = { occurred_at: new Date().toISOString() };
    const records = lines(
      { ...activity, ...at, activity: 'sent', id: '1' },
      { ...activity, ...at, activity: 'click', id: '2' },
    );
    expect(await text('activities record', records)).toMatch(/created +2/);
    expect(await text('statistics activities --channel email')).toMatch(/email +1 +0 +0 +1/);
    expect(await text('statistics messages --message 4711')).toMatch(/4711 +Winter +email/);
    expect(await text('statistics people 4711 --activity click')).toMatch(/asha@example.com/);
    expect(await text('statistics contacts')).toMatch(/^contacts +\d+$/m);
    expect(await text('statistics pipeline')).toMatch(/^waiting_requests +0$/m);
    expect(await json('statistics pipeline')).toHaveProperty('failures');
    expect(await roster('statistics people 4711')).toMatchObject({ code: 2 });
    expect(await text('activities derived')).toMatch(/^state +off\n\nNAME +TYPE/);
    await text('accounts update 1 --setting derived_attributes=true');
    expect(await text('activities rebuild-derived --no-wait')).toMatch(/^state +building$/m);
    await keep(service);
    expect(await text('activities derived')).toMatch(/^state +ready$/m);
  });

  test('requests are listed, shown and waited for', async () => {
    const [request] = await json<{ request_id: string }[]>(
      'requests list --outcome failed --operation contact.create --limit 1',
    );
    const id = request!.request_id;
    expect(await text(`requests show ${id}`)).toMatch(/^outcome +some_failed$/m);
    expect(await text(`requests show ${id}`)).toMatch(/^failures +identity_mismatch 1$/m);
    const failures = await text(`requests failures ${id} --contacts --code identity_mismatch`);
    expect(failures).toMatch(/^ITEM +CODE +FIELD +CONTACT +REASON\n\d+ +identity_mismatch/);
    const waited = await roster(`requests wait ${id}`);
    expect([waited.code, waited.stderr]).toEqual([5, 'One item failed.\n']);
    expect(await roster(`requests show ${nowhere}`)).toMatchObject({ code: 3 });
  });

  test('a bulk change counts the contacts, asks, and waits', async () => {
    const filter = await file('pune.json', inPune);
    const asked = await roster(`bulk-changes create set_attribute --filter ${filter} --attribute CITY --value Mumbai`);
    expect([asked.code, asked.stderr]).toEqual([
      2,
      expect.stringContaining('set_attribute for 1 contacts of account 1?'),
    ]);
    expect(
      await text(`bulk-changes create set_attribute --filter ${filter} --attribute CITY --value Mumbai -y`),
    ).toMatch(/^counts.changed +1$/m);
    expect(await text('bulk-changes create add_to_list --all --to-list 1 -y')).toMatch(/^status +completed$/m);
    expect(await text('bulk-changes create opt_out --list 1 --channel sms whatsapp -y')).toMatch(
      /^status +completed$/m,
    );
    const missing = await roster('bulk-changes create delete --contact 999999 --yes --json');
    expect([missing.code, missing.stderr]).toEqual([5, expect.stringContaining('One contact failed.')]);
    const { bulk_change_id: id } = JSON.parse(missing.stdout) as { bulk_change_id: string };
    expect(await text(`bulk-changes failures ${id}`)).toMatch(/999999 +contact_not_found/);
    expect(await text(`bulk-changes show ${id}`)).toMatch(/^action.type +delete$/m);
    expect(await text('bulk-changes list --status completed --limit 1')).toMatch(/delete +completed/);
    await jobs[Symbol.asyncDispose]();
    const waiting = await json<{ bulk_change_id: string }>(
      'bulk-changes create opt_in --all --channel sms --yes --no-wait',
    );
    expect(await text(`bulk-changes cancel ${waiting.bulk_change_id}`)).toBe('The bulk change is cancelled.\n');
    jobs = service.startJobs();
    expect(await roster('bulk-changes create delete --all --list 1 -y')).toMatchObject({ code: 2 });
    expect(await roster('bulk-changes create add_to_list --all -y')).toMatchObject({
      code: 3,
      stderr: expect.stringContaining('--to-list'),
    });
  });

  test('imports and exports are listed, shown and cancelled', async () => {
    const csv = await file('people.csv', 'EMAIL,CITY\nnoor@example.com,Goa\nno address,Goa\n');
    expect((await roster(`import ${csv} --failures ${path.join(directory, 'failed.csv')}`)).code).toBe(5);
    const [done] = await json<{ import_id: string }[]>('imports list');
    expect(await text(`imports show ${done!.import_id}`)).toMatch(/^counts.failed +1$/m);
    expect(await text(`imports failures ${done!.import_id}`)).toMatch(/^LINE +CODE +COLUMN +REASON\n3 +/);
    expect(await text(`imports failures ${done!.import_id} --csv`)).toContain('no address');
    const waiting = await service.first.operator('POST', '/imports', {});
    expect(await text(`imports cancel ${waiting.body.import_id}`)).toBe('The import is cancelled.\n');

    const filter = await file('goa.json', [
      { condition_details: [{ field: 'CITY', operation: 'equals', value: ['Goa'] }] },
    ]);
    const preview = await roster(`exports preview --filter ${filter} --attributes EMAIL,CITY`);
    expect(preview).toMatchObject({
      stdout: 'EMAIL             CITY\nnoor@example.com  Goa\n',
      stderr: 'The file would have 1 rows.\n',
    });
    const made = await roster(`exports create --filter ${filter} --attributes EMAIL --gzip`);
    expect(made.stderr).toContain(`roster export --request ${made.stdout.trim()}`);
    expect(await text(`exports show ${made.stdout.trim()}`)).toMatch(/^compression +gzip$/m);
    expect(await text('exports list')).toContain(made.stdout.trim());
    expect(await text('export --list 1 --attributes EMAIL')).toContain('asha@example.com');
    await jobs[Symbol.asyncDispose]();
    const later = (await text('exports create')).trim();
    expect(await text(`exports cancel ${later}`)).toBe('The export is cancelled.\n');
    jobs = service.startJobs();
    expect(await roster('exports create --list 1 --segment 2')).toMatchObject({ code: 2 });
  });

  test('events are listed and followed, and subscriptions are managed', async () => {
    await service.operator('PATCH', '/accounts/1', { settings: { events: true } });
    await text('contacts create', lines({ identity: 'eve@example.com' }, { identity: 'eva@example.com' }));
    expect(await text('events list --limit 1')).toMatch(
      /^POSITION +WHEN +KIND +CONTACT +DETAILS\n1 +2\S+ +contact.created/,
    );
    expect(await json('events list --after 1')).toMatchObject([{ position: 2 }]);
    expect(await json('events list --since 2020-01-01T00:00:00Z')).toMatchObject([{ position: 1 }, { position: 2 }]);
    expect(await json('events list --since 2096-01-01T00:00:00Z')).toEqual([]);
    expect(await roster('events list --after x')).toMatchObject({ code: 2 });
    expect(await roster('events list --after 1 --since 2020-01-01T00:00:00Z')).toMatchObject({ code: 3 });
    withoutInterruptListeners();
    const following = roster('events follow --after 1');
    await vi.waitFor(() => expect(process.listenerCount('SIGINT')).toBeGreaterThan(0));
    process.emit('SIGINT');
    expect(await following).toMatchObject({ stdout: expect.stringMatching(/^({"position":2.*}\n)?$/) });

    await using receiver = await startReceiver();
    const body = { name: 'Warehouse', url: `http://127.0.0.1:${receiver.port}/events` };
    const made = await text('subscriptions create', JSON.stringify(body));
    const [, id, secret] = /^Created the subscription (\S+)\. Its secret is shown only now:\n(whsec_\S+)\n$/.exec(
      made,
    )!;
    expect(secret).toHaveLength(50);
    expect(await text('subscriptions list')).toMatch(/^SUBSCRIPTION +NAME +STATUS +LAG \(EVENTS\)/);
    expect(await text(`subscriptions show ${id}`)).toMatch(/^lag.events +0$/m);
    expect(await text(`subscriptions test ${id}`)).toMatch(/^delivered +true$/m);
    expect(await text(`subscriptions pause ${id}`)).toMatch(/^status +paused$/m);
    expect(await text(`subscriptions update ${id}`, '{"max_events": 10}')).toMatch(/^max_events +10$/m);
    expect(await text(`subscriptions replay ${id} --after 1 --yes`)).toMatch(/^lag.events +1$/m);
    expect(await roster(`subscriptions replay ${id} --yes`)).toMatchObject({ code: 2 });
    const dead = await writeDeadLetter(service.context, 1, id!);
    expect(await text(`subscriptions deliveries ${id} --status failed`)).toMatch(new RegExp(`^DELIVERY .*\n${dead} `));
    expect(await text(`subscriptions replay-delivery ${id} ${dead}`)).toMatch(/^replayed +true$/m);
    expect(await text(`subscriptions resume ${id}`)).toMatch(/^status +active$/m);
    expect(await text(`subscriptions rotate-secret ${id} --yes`)).toMatch(/whsec_/);
    expect(await text(`subscriptions delete ${id} --yes`)).toBe(`Deleted the subscription ${id}.\n`);
    await service.operator('PATCH', '/accounts/1', { settings: { events: false } });
  });

  test('an export schedule is created from JSON, run, paused and deleted', async () => {
    const body = { name: 'Every morning', filter: {}, timing: { every: 'day', at: '06:00' } };
    expect(await text('export-schedules create', JSON.stringify(body))).toMatch(
      /^Created the schedule [\w-]+\. Its next run: 2/,
    );
    const [schedule] = await json<{ schedule_id: string }[]>('export-schedules list');
    const id = schedule!.schedule_id;
    expect(await text(`export-schedules run ${id}`)).toMatch(/^by_hand +true$/m);
    expect(await text(`export-schedules runs ${id}`)).toMatch(/^DUE +STATUS/);
    expect(await text(`export-schedules update ${id}`, '{"paused": true}')).toMatch(/^status +paused$/m);
    expect(await text(`export-schedules show ${id}`)).toMatch(/^timing.at +06:00$/m);
    // The name of the field comes from the JSON, so it is not replaced by an option of another command.
    expect(await roster(`export-schedules update ${id}`, '{"blocklist_type": "fax"}')).toMatchObject({
      code: 3,
      stderr: expect.stringContaining('blocklist_type must'),
    });
    expect(await roster(`export-schedules update ${id}`, '[]')).toMatchObject({ code: 2 });
    await text(`export-schedules delete ${id} --yes`);
  });

  test('running work is shown, and followed until Ctrl-C', async () => {
    expect(await text('running')).toMatch(/^KIND +ID +TITLE/);
    withoutInterruptListeners();
    const follow = roster('running --follow');
    await expect.poll(() => called.has('GET /admin/v1/accounts/1/events'), { timeout: 10_000 }).toBe(true);
    process.emit('SIGINT');
    expect((await follow).code).toBe(130);
  });

  test('deliveries, mails and sign-ups are listed and shown', async () => {
    const delivery = await deliver(service.context, 'https://hooks.example.com/roster');
    await expect
      .poll(async () => (await json<{ attempts: number }>(`deliveries show ${delivery}`)).attempts, { timeout: 10_000 })
      .toBe(1);
    expect(await text('deliveries list --status pending')).toContain(delivery);
    expect(await text(`deliveries show ${delivery}`)).toMatch(/^ATTEMPT +STATUS +ERROR$/m);
    // As it is after a day of failed attempts.
    const ended = { status: 'failed', phase: null, sending_job: null, next_attempt_at: null } as const;
    await service.context.db
      .updateTable('deliveries')
      .set({ ...ended, finished_at: new Date() })
      .execute();
    expect(await text(`deliveries replay ${delivery}`)).toBe(`Delivery ${delivery} is pending.\n`);
    const secret = await text('signing-secret show');
    expect(await roster('signing-secret rotate')).toMatchObject({ code: 2 });
    expect(await text('signing-secret rotate --yes')).not.toBe(secret);

    const mail = await writeMail(service.context);
    expect(await text('mails list')).toContain(mail);
    expect(await text(`mails show ${mail}`)).toMatch(/^subject +\S/m);
    const signUp = await json<{ sign_up_id: string }>('sign-ups create new@example.com --attribute CITY=Pune --list 1');
    expect(await text('sign-ups list')).toContain(signUp.sign_up_id);
  });

  test('the audit log can be filtered', async () => {
    const log = await text('audit-log list --actor operator --action segment.create');
    expect(log).toMatch(/^WHEN +AUTHOR +ACTION +OBJECT +DETAILS\n\S+ +operator +segment.create/);
    expect(await json('audit-log list --from 2999-01-01T00:00:00Z')).toEqual([]);
  });
});

describe('people, keys and accounts in the command line', () => {
  test('people are invited, and members and users are managed', async () => {
    const now = new Date();
    const person = await insertUser(
      service.context.db,
      { name: 'Lena', email: 'lena@example.com', password_hash: null },
      now,
    );
    const owner = await insertUser(
      service.context.db,
      { name: 'Asha', email: 'asha@example.com', password_hash: null },
      now,
    );
    const id = person!.user_id;
    await putMembership(service.context.db, 1, owner!.user_id, { role: 'owner', unmasked: false }, now);
    await putMembership(service.context.db, 1, id, { role: 'viewer', unmasked: false }, now);
    expect(await text('members list')).toMatch(/Lena +lena@example.com +viewer +false/);
    expect(await text(`members update ${id} --role editor --unmasked`)).toMatch(/^role +editor$/m);
    expect(await roster(`members update ${id} --role king`)).toMatchObject({ code: 2 });
    expect(await roster(`members update ${id}`)).toMatchObject({ code: 2 });
    await text(`members remove ${id} --yes`);

    const invited = await roster('invitations create noor@example.com --role viewer');
    expect([invited.code, invited.stdout, invited.stderr]).toEqual([
      0,
      expect.stringMatching(/^http.*#token=/),
      expect.stringContaining('works once'),
    ]);
    const [invitation] = await json<{ invitation_id: number }[]>('invitations list');
    await text(`invitations delete ${invitation!.invitation_id} --yes`);

    expect(await text('user list --contains lena')).toMatch(/Lena +lena@example.com/);
    expect(await text(`user update ${id} --disable`)).toMatch(/^is_disabled +true$/m);
    expect(await text(`user update ${id} --enable --administrator`)).toMatch(/^is_installation_admin +true$/m);
    await text(`user update ${owner!.user_id} --administrator`);
    expect(await text(`user update ${id} --no-administrator`)).toMatch(/^is_installation_admin +false$/m);
    await text(`user end-sessions ${id}`);
    await text(`user remove-second-factor ${id}`);
    expect(await text('user reset-password asha@example.com')).toContain('#token=');
    await text(`user delete ${id} --yes`);
    expect(await roster(`user update ${id} --disable`)).toMatchObject({ code: 3 });
  });

  test('keys are managed, and an account is deleted', async () => {
    expect(await text('keys create Website --scope requests:read')).toMatch(/^rk_/);
    const keys = await json<{ api_key_id: number; name: string }[]>('keys list');
    await text(`keys revoke ${keys.find(({ name }) => name === 'Website')!.api_key_id} --yes`);
    const { account_id: id } = await json<{ account_id: number }>('accounts create Closing');
    await text(`accounts update ${id} --time-zone Asia/Kolkata`);
    expect(await text(`accounts show ${id}`)).toMatch(/^name +Closing$/m);
    expect(await text('accounts list')).toContain('Closing');
    expect(await roster(`accounts delete ${id} --name Other --yes`)).toMatchObject({ code: 3 });
    expect(await text(`accounts delete ${id} --name Closing --yes`)).toMatch(/^name +Closing$/m);
    expect(await text('accounts deletions')).toMatch(/Closing/);
    expect(await text(`accounts deletion ${id}`)).toMatch(/^account_id +\d+$/m);
    expect(await text('system')).toMatch(/^version +\S/m);
  });

  test('a link creates the first owner', async () => {
    await using own = await startTestService({ worker: false });
    const { code, stdout } = await run([
      'owner',
      'set-up-link',
      '--url',
      await listening(own),
      '--token',
      testAdminToken,
    ]);
    expect([code, stdout]).toEqual([0, expect.stringContaining('#token=')]);
  });
});

/** The operations that no command uses, and why. */
const exceptions: Readonly<Record<string, string>> = {
  getAcceptedRequest: 'only for API keys; `requests show` gets the same',
  getUserActivity: 'only for API keys; `contacts timeline` and `contacts export` have the activities',
  batchAddContacts: 'the older way, for programs that need its callback; `contacts create` does the same',
  blacklistContacts: 'an older call; `contacts create` and `contacts update` do the same',
  listAudiences: 'an older call; `lists list` and `segments list` show the same',
  listSavedViews: 'saved states of console pages',
  createSavedView: 'saved states of console pages',
  updateSavedView: 'saved states of console pages',
  deleteSavedView: 'saved states of console pages',
};

/** Signing in, and the own profile: a person does this in the console. The command line has a token. */
function isForPersons({ generation, path: address }: Operation): boolean {
  return generation === 'sign-in' || /^\/admin\/v1\/me(\/|$)/.test(address);
}

test('the command line reaches every operation, except those with a reason', () => {
  const patternOf = ({ method, path: address, operatorCounterpart }: Operation) => {
    // Operators use the operations of API keys below the path of an account.
    const own =
      operatorCounterpart === undefined && address.startsWith('/v5/')
        ? address.replace('/v5', '/admin/v1/accounts/1')
        : address;
    return new RegExp(`^${method} ${own.replaceAll(/\{\w+\}/g, '[^/]+')}$`);
  };
  const missing = Object.entries(operationTable)
    .filter(([, operation]) => !isForPersons(operation))
    .filter(([, operation]) => ![...called].some((one) => patternOf(operation).test(one)))
    .map(([id]) => id);
  expect(missing.sort()).toEqual(Object.keys(exceptions).sort());
});
