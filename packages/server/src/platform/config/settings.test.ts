import { expect, test } from 'vitest';
import { ConfigError, readConfig, unknownSettings } from './config.ts';

const faultsOf = (env: Record<string, string>): readonly string[] => {
  try {
    readConfig(env);
    return [];
  } catch (error) {
    return (error as ConfigError).faults;
  }
};

test('the settings for secrets need at least 32 characters', () => {
  for (const name of ['ROSTER_API_KEY', 'ROSTER_ADMIN_TOKEN']) {
    expect(faultsOf({ [name]: 'x'.repeat(31) })).toEqual([`${name} must have at least 32 characters.`]);
    expect(faultsOf({ [name]: 'x'.repeat(32) })).toEqual([]);
  }
});

test('the setting for allowed hosts is read in lower case and without final dots', () => {
  const read = (text: string): readonly string[] => readConfig({ ROSTER_ALLOWED_HOSTS: text }).allowedHosts;
  expect(read('Roster.Internal., 10.0.0.5 ,::1,[2001:DB8::1]')).toEqual([
    'roster.internal',
    '10.0.0.5',
    '[::1]',
    '[2001:db8::1]',
  ]);
  expect(read('*')).toEqual(['*']);
  for (const wrong of ['https://roster.internal', 'a b', 'roster.internal/path', 'user@host']) {
    expect(faultsOf({ ROSTER_ALLOWED_HOSTS: wrong })).toEqual([expect.stringContaining('must be host names')]);
  }
});

test('the public URL is refused with parts to which no path can be appended', () => {
  for (const right of ['https://roster.example.com', 'http://10.0.0.5:8080/', 'https://example.com/roster']) {
    expect(readConfig({ ROSTER_PUBLIC_URL: right }).publicUrl).toBe(right.replace(/\/$/, ''));
  }
  for (const wrong of ['https://example.com/?x=1', 'https://example.com/#a', 'https://me:pw@example.com']) {
    expect(faultsOf({ ROSTER_PUBLIC_URL: wrong })).toEqual([
      'ROSTER_PUBLIC_URL must be a URL without `?`, `#` and `@`, such as https://roster.example.com.',
    ]);
  }
});

test('the setting for trusted proxies is a list of addresses and ranges', () => {
  const read = (text: string) => readConfig({ ROSTER_TRUST_PROXY: text }).trustProxy;
  expect(read(' 10.0.0.5, 10.1.0.0/16,[2001:db8::1] ,2001:db8::/32')).toEqual([
    '10.0.0.5',
    '10.1.0.0/16',
    '2001:db8::1',
    '2001:db8::/32',
  ]);
  for (const wrong of ['true', 'proxy.internal', '10.0.0.256', '10.0.0.0/33', '10.1/16', '10.0.0.5 10.0.0.6', ',']) {
    expect(faultsOf({ ROSTER_TRUST_PROXY: wrong })).toEqual([
      expect.stringMatching(/^ROSTER_TRUST_PROXY must be IP addresses/),
    ]);
  }
});

test('the layout of a cluster needs the address of the coordinator, and has no read replicas', () => {
  const cluster = { ROSTER_LAYOUT: 'citus', DATABASE_URL: 'postgres://coordinator/roster' };
  expect(faultsOf(cluster)).toEqual([]);
  expect(faultsOf({ ROSTER_LAYOUT: 'citus' })).toEqual([
    'ROSTER_LAYOUT=citus needs DATABASE_URL, the URL of the coordinator.',
  ]);
  expect(faultsOf({ ...cluster, ROSTER_REPLICA_URL: 'postgres://replica/roster' })).toEqual([
    'ROSTER_REPLICA_URL cannot be used with ROSTER_LAYOUT=citus: a cluster has no read replicas.',
  ]);
});

test('a variable that looks like a setting is unknown, unless the command line or Kubernetes uses it', () => {
  const env = {
    ROSTER_WORKER_LOOPS: '2',
    ROSTER_WORKER_LANES: '2',
    ROSTER_RATELIMIT: '5',
    ROSTER_URL: 'http://127.0.0.1',
    ROSTER_TOKEN: 'x',
    ROSTER_ACCOUNT: '1',
    ROSTER_PORT: 'tcp://127.0.0.1:80',
    ROSTER_PORT_8080_TCP: 'tcp://127.0.0.1:80',
    ROSTER_SERVICE_HOST: '127.0.0.1',
    PATH: '/bin',
  };
  expect(unknownSettings(env)).toEqual(['ROSTER_RATELIMIT', 'ROSTER_WORKER_LANES']);
});

test('the files for TLS in the URL of a database must be readable', () => {
  const urlWith = (file: string): string => `postgres://db.internal/roster?sslmode=verify-full&sslrootcert=${file}`;
  expect(readConfig({ DATABASE_URL: urlWith(import.meta.filename) }).databaseUrl).toBe(urlWith(import.meta.filename));
  for (const name of ['DATABASE_URL', 'ROSTER_REPLICA_URL']) {
    expect(faultsOf({ [name]: urlWith('/nowhere/ca.pem') })).toContain(
      `${name} must name files that this user can read, but sslrootcert is /nowhere/ca.pem.`,
    );
  }
});
