import { mkdtempDisposable, readFile, readdir, stat } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { createProgram } from '#app/cli/program.ts';
import { testAdminToken } from '../support/context.ts';
import { forFile } from '../support/for-file.ts';
import { listening } from '../support/listening.ts';
import { startTestService } from '../support/service.ts';
import { run, type CommandResult } from './in-process.ts';

const { path: directory } = await forFile(mkdtempDisposable(path.join(os.tmpdir(), 'roster-cli-')));
const service = await forFile(startTestService());
const place = ['--url', await listening(service), '--token', testAdminToken];

const roster = (...args: string[]): Promise<CommandResult> => run([...args, ...place]);
async function json<T>(...args: string[]): Promise<T> {
  const { code, stdout, stderr } = await roster(...args, '--json');
  expect([code, stderr]).toEqual([0, '']);
  return JSON.parse(stdout) as T;
}

describe('commands for people', () => {
  /** Sends a request as a page of the service does. */
  const send = (url: string, body: object) =>
    service.call('POST', url, { body, headers: { 'sec-fetch-site': 'same-origin' } });
  const asha = { name: 'Asha Rao', email: 'asha@example.com', password: 'correct horse battery staple' };

  test('a link creates the owner once, and then there is no other link', async () => {
    const former = (await roster('owner', 'set-up-link')).stdout;
    const { stdout, code } = await roster('owner', 'set-up-link');
    expect([code, stdout]).toEqual([0, expect.stringMatching(/^http:.*\/console\/set-up#token=[\w-]{43}\n$/)]);
    const setUp = (link: string) => send('/admin/v1/set-up', { ...asha, token: link.trim().split('#token=')[1] });
    expect((await setUp(former)).status).toBe(410);
    expect((await setUp(stdout)).status).toBe(200);
    expect((await setUp(stdout)).status).toBe(410);

    const late = await roster('owner', 'set-up-link');
    expect([late.code, late.stdout]).toEqual([3, '']);
    expect(late.stderr).toContain('There is a user already');
  });

  test('a link sets the password of a person who is locked out, once', async () => {
    const { stdout, stderr, code } = await roster('user', 'reset-password', 'ASHA@example.com');
    expect([code, stderr]).toEqual([0, 'Give the link only to this person. It works once, for an hour.\n']);
    const token = /#token=([\w-]{43})\n$/.exec(stdout)![1];
    const password = 'a new and longer password';
    expect((await send('/admin/v1/password-resets/complete', { token, password })).status).toBe(204);
    expect((await send('/admin/v1/password-resets/complete', { token, password })).status).toBe(410);
    expect((await send('/admin/v1/session', { email: asha.email, password })).body.status).toBe('signed_in');
    expect((await send('/admin/v1/session', { email: asha.email, password: asha.password })).status).toBe(401);

    const { link } = await json<{ link: string }>('user', 'reset-password', asha.email);
    expect(link).toContain('/console/new-password#token=');
    const unknown = await roster('user', 'reset-password', 'nobody@example.com');
    expect([unknown.code, unknown.stdout]).toEqual([3, '']);
    expect(unknown.stderr).toContain('There is no user with this address');
  });
});

describe('commands for accounts, keys and lists', () => {
  test('an account can be created, shown and changed', async () => {
    const made = await json<{ account_id: number; api_key: string }>(
      'accounts',
      'create',
      'Acme',
      '--time-zone',
      'Asia/Kolkata',
    );
    const id = String(made.account_id);
    const { stdout } = await roster(
      'accounts',
      'update',
      id,
      '--name',
      'Acme India',
      '--setting',
      'rate_limit=60',
      '--setting',
      'csv_formula_guard=true',
    );
    expect(stdout).toMatch(/^name +Acme India$/m);
    expect(stdout).toMatch(/^rate_limit +60$/m);
    const shown = await json<{ settings: object }>('accounts', 'show', id);
    expect(shown.settings).toMatchObject({ rate_limit: 60, csv_formula_guard: true });
    await roster('accounts', 'update', id, '--setting', 'rate_limit=null');
    const list = await roster('accounts', 'list');
    expect(list.stdout.split('\n')[0]).toMatch(/^ACCOUNT +NAME +PRIMARY KEY +TIME ZONE +CREATED$/);
    expect(list.stdout).toMatch(new RegExp(`^${id} +Acme India +EMAIL +Asia/Kolkata +2`, 'm'));
    expect(list.stdout).not.toContain('\u001b');
  });

  test('creating a key prints only the key to standard output, and a key can be revoked', async () => {
    const account = ['--account', '1'];
    const made = await roster('keys', 'create', 'Website', '--scope', 'contacts:read', '--scope', 'export', ...account);
    expect(made.stdout).toMatch(/^rk_\S+\n$/);
    expect(made.stderr).toMatch(/Keep it/);
    const keys = await json<{ api_key_id: number; name: string; status: string; scopes: string[] }[]>(
      'keys',
      'list',
      ...account,
    );
    const key = keys.find(({ name }) => name === 'Website')!;
    expect(key).toMatchObject({ scopes: ['contacts:read', 'export'], status: 'active' });
    expect((await roster('keys', 'revoke', String(key.api_key_id), ...account)).code).toBe(2);
    expect((await roster('keys', 'revoke', String(key.api_key_id), '--yes', ...account)).code).toBe(0);
    expect((await roster('keys', 'list', ...account)).stdout).toMatch(/Website +rk_\S+ +revoked/);
  });

  test('a list can be created, renamed and deleted', async () => {
    const account = ['--account', '1'];
    const { audience_id: id } = await json<{ audience_id: number }>('lists', 'create', 'News', ...account);
    const hostile = await roster('lists', 'rename', String(id), 'News\u001b[2J of May', ...account);
    expect([hostile.code, hostile.stderr]).toEqual([3, expect.not.stringContaining('\u001b') as string]);
    const renamed = await roster('lists', 'rename', String(id), 'News of May', ...account);
    expect(renamed.stdout).toContain('News of May');
    const refused = await roster('lists', 'delete', String(id), ...account);
    expect([refused.code, refused.stderr]).toEqual([2, expect.stringContaining('Confirm with --yes') as string]);
    expect((await roster('lists', 'delete', String(id), '-y', ...account)).code).toBe(0);
    expect((await json<object[]>('lists', 'list', ...account)).length).toBe(1);
  });
});

describe('failures of commands', () => {
  test('a failure has an exit code and a sentence, or JSON on request', async () => {
    const missing = await roster('accounts', 'show', '99');
    expect([missing.code, missing.stdout, missing.stderr]).toEqual([3, '', 'There is no account 99\n']);
    const asJson = await roster('accounts', 'show', '99', '--json');
    expect(JSON.parse(asJson.stderr)).toMatchObject({ error: { code: 'not_found', status: 404 } });
    const wrong = await run(['accounts', 'list', ...place.slice(0, 2), '--token', 'x'.repeat(20)]);
    expect([wrong.code, wrong.stderr]).toEqual([3, expect.stringContaining('ROSTER_ADMIN_TOKEN') as string]);
    const nobody = await run(['accounts', 'list', '--url', 'http://127.0.0.1:1', '--token', 'x']);
    expect([nobody.code, nobody.stderr]).toEqual([4, expect.stringContaining('cannot be reached') as string]);
    const noToken = await run(['accounts', 'list', '--url', 'http://127.0.0.1:1']);
    expect([noToken.code, noToken.stderr]).toEqual([2, expect.stringContaining('ROSTER_ADMIN_TOKEN') as string]);
    expect((await run(['accounts', 'list', '--url', 'nowhere', '--token', 'x'])).code).toBe(2);
  });

  test.each([
    [['nonsense']],
    [['accounts', 'show', 'one']],
    [['accounts', 'update', '1', '--setting', 'rate_limit']],
    [['keys', 'create', 'x', '--scope', 'everything']],
    [['export', '--list', '1', '--segment', '2']],
  ])('the arguments %j are reported as wrong usage', async (args) => {
    const { code, stdout, stderr } = await roster(...args);
    expect([code, stdout]).toEqual([2, '']);
    expect(stderr).toMatch(/^error: .*\n[\s\S]*--help/);
  });

  test.each([
    [['accounts', 'show', 'abc'], 'It must be a positive integer.'],
    [['accounts', 'nonsense'], "unknown command 'nonsense'"],
    [['lists', 'create'], "missing required argument 'name'"],
  ])('wrong arguments are reported as JSON with --json: %j', async (words, message) => {
    const { code, stdout, stderr } = await run([...words, '--json']);
    expect([code, stdout]).toEqual([2, '']);
    expect(JSON.parse(stderr)).toEqual({ error: { code: 'usage', message: expect.stringContaining(message) } });
    expect((await run(words)).stderr).not.toMatch(/^\{/);
  });

  test('a command must name an account if there are several', async () => {
    await service.createAccount();
    const { code, stderr } = await roster('lists', 'list');
    expect([code, stderr]).toEqual([2, expect.stringContaining('--account') as string]);
  });
});

describe('roster export', () => {
  test('the file is written to standard output, or under its name once it is complete', async () => {
    await using _jobs = service.startJobs();
    await service.first.createContacts([
      { identity: 'asha@example.com', attributes: { CITY: 'Pune' }, audience_details: [{ audience_id: 1 }] },
    ]);
    const options = ['export', '--account', '1', '--list', '1', '--attributes', 'EMAIL,CITY'];
    const { code, stdout, stderr } = await roster(...options);
    expect([code, stdout, stderr]).toEqual([0, 'EMAIL,CITY\r\nasha@example.com,Pune\r\n', '']);
    const file = path.join(directory, 'list.csv');
    const { request_id: id } = await json<{ request_id: string }>(...options, '-o', file);
    expect(await readFile(file, 'utf8')).toBe(stdout);
    expect((await stat(file)).mode & 0o777).toBe(0o600);
    const again = await roster('export', '--account', '1', '--request', id, '-o', '-');
    expect(again.stdout).toBe(stdout);
    expect(await readdir(directory)).toEqual(['list.csv']);
    // The temporary API keys of the command are revoked.
    const keys = await json<{ name: string; status: string }[]>('keys', 'list', '--account', '1');
    const own = keys.filter(({ name }) => name === 'roster export');
    expect(own.map(({ status }) => status)).toEqual(['revoked', 'revoked']);
  });

  test('a given API key is used if it belongs to the account', async () => {
    await using _jobs = service.startJobs();
    const other = await service.createAccount();
    const options = ['export', '--account', '1', '--list', '1', '--api-key'];
    expect(await roster(...options, service.first.apiKey)).toMatchObject({ code: 0 });
    const refused = await roster(...options, other.apiKey);
    expect([refused.code, refused.stdout, refused.stderr]).toEqual([
      2,
      '',
      expect.stringContaining('account 1') as string,
    ]);
    expect(refused.stderr).not.toContain(other.apiKey);
  });

  test('invalid arguments are reported before any request is sent', async () => {
    expect(await roster('export', '--account', '1')).toMatchObject({ code: 2 });
    expect(await roster('export', '--account', '1', '--list', '1', '--json')).toMatchObject({ code: 2, stdout: '' });
    expect(await roster('export', '--account', '1', '--list', '77')).toMatchObject({ code: 3 });
    const { code, stderr } = await roster('export', '--account', '1', '--list', '1', '-o', '/nowhere/list.csv');
    expect([code, stderr]).toEqual([1, expect.stringContaining('/nowhere/list.csv cannot be written')]);
  });
});

describe('the help of the command line', () => {
  test('--version prints the version', async () => {
    expect(await run(['--version'])).toEqual({ code: 0, stdout: '0.1.0\n', stderr: '' });
  });

  test('every command has a description, and the exit codes are listed', async () => {
    const { code, stdout } = await run(['--help']);
    expect(code).toBe(0);
    expect(stdout).toContain('Exit codes:');
    const program = createProgram(process);
    const all = program.commands.flatMap((command) => [command, ...command.commands]);
    for (const command of all.filter((one) => one.name() !== 'complete'))
      expect(command.description(), command.name()).not.toBe('');
  });

  test('the help of every command has an example', async () => {
    for (const command of createProgram(process).commands) {
      for (const one of command.commands.length > 0 ? command.commands : [command]) {
        const name = one === command ? command.name() : `${command.name()} ${one.name()}`;
        const { stdout } = await run([...name.split(' '), '--help']);
        expect(stdout, name).toMatch(new RegExp(`\nExamples?:\n.*roster ${name}`));
      }
    }
  });

  test('every command and each of its options can be completed in a shell', async () => {
    const printed = vi.spyOn(console, 'log').mockReturnValue();
    onTestFinished(() => printed.mockRestore());
    const completed = async (...typed: string[]): Promise<string[]> => {
      printed.mockClear();
      await run(['complete', '--', ...typed]);
      return printed.mock.calls.map(([line]) => String(line).split('\t')[0]!);
    };
    const { commands } = createProgram(process);
    expect(await completed('')).toEqual(expect.arrayContaining(commands.map((command) => command.name())));
    for (const command of commands.filter((one) => one.name() !== 'complete')) {
      const inner = command.commands;
      if (inner.length > 0) {
        const found = await completed(command.name(), '');
        expect(found, command.name()).toEqual(expect.arrayContaining(inner.map((one) => one.name())));
      }
      for (const one of inner.length > 0 ? inner : [command]) {
        const path = one === command ? [command.name()] : [command.name(), one.name()];
        const options = one.options.map(({ long }) => long!).filter((long) => !long.startsWith('--no-'));
        expect(await completed(...path, '--'), path.join(' ')).toEqual(expect.arrayContaining(options));
      }
    }
  });

  test('docs/cli.md names every command, and every option at its command', async () => {
    const page = await readFile(new URL('../../../../docs/cli.md', import.meta.url), 'utf8');
    // These are explained once.
    const common = new Set(['--url', '--token', '--account', '--json', '--yes', '--limit']);
    for (const option of common) expect(page).toContain(`\`${option}\``);
    const sections = page.split(/^### /m).slice(1);
    for (const command of createProgram(process).commands) {
      // An option is in the row of the command, or in the section of the command or group.
      const section = sections.find((one) => one.split('\n')[0]!.split(' ').includes(command.name())) ?? '';
      for (const one of command.commands.length > 0 ? command.commands : [command]) {
        const name = one === command ? command.name() : `${command.name()} ${one.name()}`;
        const row = page.split('\n').find((line) => new RegExp(`\\| .*\`roster ${name}[\` ]`).test(line));
        expect(row, `docs/cli.md has no row for roster ${name}`).toBeDefined();
        const signature = one.registeredArguments.map((argument) => {
          const word = `${argument.name()}${argument.variadic ? '...' : ''}`;
          return argument.required ? `<${word}>` : `[${word}]`;
        });
        expect(row).toContain(`\`${['roster', name, ...signature].join(' ')}\``);
        for (const { long } of one.options.filter((option) => !common.has(option.long!))) {
          expect(`${row}\n${section}`, `docs/cli.md does not explain ${long} of roster ${name}`).toContain(`\`${long}`);
        }
      }
    }
  });
});
