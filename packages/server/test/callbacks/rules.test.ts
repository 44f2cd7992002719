import { Faults } from '@roster/contract';
import { describe, expect, test } from 'vitest';
import { isPublic, parseAddress } from '#platform/config/address.ts';
import { nothingAllowed, parseAllowList } from '#platform/config/allow-list.ts';
import { checkCallbackHeaders } from '#features/callbacks/destination/callback-headers.ts';
import { checkCallbackUrl } from '#features/callbacks/destination/callback-url.ts';

describe('public and private IP addresses', () => {
  test.each([
    '8.8.8.8',
    '1.1.1.1',
    '93.184.216.34',
    '172.15.255.255',
    '172.32.0.0',
    '100.63.255.255',
    '2606:4700::1111',
    '2a00:1450:4001::1',
    '2a00:1450:4001::5efe:1',
  ])('the address %s is public', (text) => expect(isPublic(parseAddress(text)!)).toBe(true));

  test.each([
    ['this network', '0.0.0.0', '0.1.2.3'],
    ['private', '10.0.0.1', '10.255.255.255', '172.16.0.1', '172.31.255.255', '192.168.0.1'],
    ['carrier-grade NAT', '100.64.0.1', '100.100.100.200', '100.127.255.255'],
    ['loopback', '127.0.0.1', '127.255.255.254', '::1'],
    [
      'link-local and metadata',
      '169.254.0.1',
      '169.254.169.254',
      'fe80::1',
      'febf::1',
      '168.63.129.16',
      '192.0.0.192',
      'fd00:ec2::254',
    ],
    ['documentation', '192.0.2.1', '198.51.100.1', '203.0.113.1', '2001:db8::1', '3fff::1'],
    ['benchmarks', '198.18.0.1', '198.19.255.255', '2001:2::1'],
    ['6to4 relays', '192.88.99.1'],
    ['multicast', '224.0.0.1', '239.255.255.255', 'ff02::1', 'ff0e::1'],
    ['reserved and broadcast', '240.0.0.1', '255.255.255.255'],
    ['unspecified', '::'],
    ['IPv4-mapped', '::ffff:127.0.0.1', '::ffff:8.8.8.8', '::ffff:a00:1'],
    ['IPv4-compatible', '::127.0.0.1', '::8.8.8.8', '::7f00:1'],
    ['IPv4-translated', '::ffff:0:7f00:1', '::ffff:0:8.8.8.8'],
    ['NAT64', '64:ff9b::7f00:1', '64:ff9b::8.8.8.8', '64:ff9b:1::1', '64:ff9b:1:ffff::a00:1'],
    ['6to4', '2002:7f00:1::', '2002:a00:1::1', '2002:808:808::1'],
    ['Teredo', '2001:0:4136:e378:8000:63bf:3fff:fdd2'],
    ['ISATAP', '2a00:1450:4001::5efe:a00:1', '2a00:1450:4001:1:200:5efe:10.0.0.1'],
    ['ORCHID', '2001:10::1', '2001:20::1'],
    ['unique local', 'fc00::1', 'fdff::1'],
    ['site-local', 'fec0::1', 'feff::1'],
    ['discard', '100::1'],
    ['unassigned', '1000::1', '4000::1', '8000::1', '5f00::1'],
  ])('addresses of the kind "%s" are not public', (_kind, ...addresses) => {
    expect(addresses.filter((text) => isPublic(parseAddress(text)!))).toEqual([]);
  });

  test.each([
    '127.1',
    '2130706433',
    '0x7f.0.0.1',
    '0177.0.0.1',
    'fe80::1%eth0',
    'example.com',
    '',
    '1.2.3.4.5',
    '256.1.1.1',
  ])('%j is not a complete IP address', (text) => expect(parseAddress(text)).toBeUndefined());
});

describe('the list of allowed destinations', () => {
  test('the list can have hosts, hosts with a port, addresses and ranges', () => {
    const { hosts, ranges } = parseAllowList(
      ' CRM.Internal. , crm.internal:8080,[::1]:9000, 10.1.0.0/16, fd00::/8, 192.168.1.7, bücher.test,,',
    );
    expect(hosts).toEqual([
      { host: 'crm.internal', port: undefined },
      { host: 'crm.internal', port: 8080 },
      { host: '::1', port: 9000 },
      { host: 'xn--bcher-kva.test', port: undefined },
    ]);
    expect(ranges.map(([first, bits]) => `${first.toString()}/${bits}`)).toEqual([
      '10.1.0.0/16',
      'fd00::/8',
      '192.168.1.7/32',
    ]);
  });

  test.each([
    'http://crm.internal',
    'crm.internal/path',
    '10.0.0.0/33',
    '10.0.0/8',
    '10.1/16',
    '10.0.0.0/',
    '10.0.0.0/8/8',
    'fd00::/129',
    'user@crm.internal',
    'a b',
    'crm.internal:99999',
    '[fe80::1%1]',
  ])('the list refuses %s', (text) => expect(() => parseAllowList(text)).toThrow('must be hosts'));
});

describe('the URL of a callback', () => {
  function check(text: string, allowed = '', plainHttp = false): string | undefined {
    const faults = new Faults();
    const allow = allowed === '' ? nothingAllowed : parseAllowList(allowed);
    const url = checkCallbackUrl(text, { allow, plainHttp }, faults);
    expect(url === undefined).toBe(faults.count > 0);
    return faults.list[0]?.code;
  }

  test.each([
    'https://hooks.example.com/roster?x=1',
    'https://hooks.example.com:8443/',
    'HTTPS://HOOKS.EXAMPLE.COM',
    'https://bücher.example/',
    'https://hooks.example.com./',
    'https://8.8.8.8/',
    'https://[2606:4700::1111]/',
  ])('the URL %s is allowed', (text) => expect(check(text)).toBeUndefined());

  test.each([
    '',
    'hooks.example.com',
    '/path',
    'ftp://example.com/',
    'file:///etc/passwd',
    'javascript:1',
    'https://',
    'https://a b/',
    'https://[fe80::1%25eth0]/',
    'https://1.2.3.4.5/',
  ])('%j is not a valid URL of a callback', (text) => expect(check(text)).toBe('invalid_format'));

  test.each([
    'https://127.0.0.1/',
    'https://2130706433/',
    'https://0x7f000001/',
    'https://0x7f.1/',
    'https://0177.0.0.1/',
    'https://127.1/',
    'https://127.0.0.1./',
    'https://①②⑦.⓪.⓪.①/',
    'https://%31%32%37.0.0.1/',
    'https://0/',
    'https://[::1]/',
    'https://[::ffff:127.0.0.1]/',
    'https://[::ffff:7f00:1]/',
    'https://[64:ff9b::a9fe:a9fe]/',
    'https://[0:0:0:0:0:0:0:1]/',
    'https://169.254.169.254/latest/meta-data/',
    'https://localhost/',
    'https://LOCALHOST./',
    'https://a.localhost:8443/',
    'https://user@hooks.example.com/',
    'https://user:secret@hooks.example.com/',
    'https://:secret@hooks.example.com/',
    'http://hooks.example.com/',
    'http://8.8.8.8/',
  ])('the URL %s is refused', (text) => expect(check(text)).toBe('not_allowed'));

  test('a URL can have 2,000 characters', () => {
    const start = 'https://hooks.example.com/';
    expect(check(start.padEnd(2000, 'x'))).toBeUndefined();
    expect(check(start.padEnd(2001, 'x'))).toBe('too_long');
  });

  test('plain HTTP and private addresses can be allowed by host, by host and port, or by range', () => {
    expect(check('http://crm.internal/', 'crm.internal')).toBeUndefined();
    expect(check('http://CRM.internal.:8080/', 'crm.internal')).toBeUndefined();
    expect(check('http://crm.internal:8080/', 'crm.internal:8080')).toBeUndefined();
    expect(check('http://crm.internal:8081/', 'crm.internal:8080')).toBe('not_allowed');
    expect(check('http://crm.internal/', 'crm.internal:80')).toBeUndefined();
    expect(check('https://crm.internal/', 'crm.internal:80')).toBeUndefined();
    expect(check('http://sub.crm.internal/', 'crm.internal')).toBe('not_allowed');
    expect(check('http://10.1.2.3:8080/', '10.1.0.0/16')).toBeUndefined();
    expect(check('https://10.2.0.1/', '10.1.0.0/16')).toBe('not_allowed');
    expect(check('https://[::ffff:10.1.2.3]/', '10.1.0.0/16')).toBe('not_allowed');
    expect(check('http://[fd00::1]/', 'fd00::/8')).toBeUndefined();
    expect(check('http://localhost:3000/', 'localhost')).toBeUndefined();
    expect(check('http://user:secret@crm.internal/', 'crm.internal')).toBe('not_allowed');
  });

  test('plain HTTP to public hosts needs the setting for it', () => {
    expect(check('http://hooks.example.com/', '', true)).toBeUndefined();
    expect(check('http://10.0.0.1/', '', true)).toBe('not_allowed');
    expect(check('http://localhost/', '', true)).toBe('not_allowed');
  });
});

describe('the headers of a callback', () => {
  function check(...headers: [string, string][]): string[] {
    const faults = new Faults();
    checkCallbackHeaders(
      headers.map(([name, value]) => ({ name, value })),
      faults,
    );
    return faults.list.map(({ field, code }) => `${field} ${code}`);
  }

  test('a callback can have common headers, or none', () => {
    expect(
      check(
        ['Authorization', 'Bearer a.b-c=='],
        ['x_token', ''],
        ['Content-Type', 'application/json'],
        ['User-Agent', 'x'],
      ),
    ).toEqual([]);
    expect(check()).toEqual([]);
  });

  test.each([
    'Host',
    'content-length',
    'Transfer-Encoding',
    'CONNECTION',
    'Keep-Alive',
    'TE',
    'Trailer',
    'Upgrade',
    'Proxy-Authorization',
    'Expect',
    'Content-Encoding',
    'X-Roster-Signature',
    'x-roster-anything',
  ])('the header %s is refused, because the sender sets it', (name) =>
    expect(check(['X-Fine', '1'], [name, '1'])).toEqual(['[1] not_allowed']),
  );

  test.each(['', ' ', 'X Token', 'X-Tokén', 'X:Token', 'X-Token\r\nHost', 'X-Token\0', '(x)'])(
    '%j is refused as the name of a header',
    (name) => expect(check([name, '1'])).toEqual(['[0] invalid_format']),
  );

  test.each(['a\r\nX-Evil: 1', 'a\nb', 'a\rb', 'a\0b', 'ü', '\u{1F600}', 'a\u2028b', '\x7F'])(
    '%j is refused as the value of a header',
    (value) => expect(check(['X-Token', value])).toEqual(['[0] invalid_format']),
  );

  test('repeated, too many and too long headers are refused', () => {
    expect(check(['X-A', '1'], ['x-a', '2'])).toEqual(['[1] not_allowed']);
    expect(check(...Array.from({ length: 51 }, (_, index): [string, string] => [`X-${index}`, '']))).toEqual([
      ' too_many_items',
    ]);
    expect(check(['X-A', 'x'.repeat(7997)])).toEqual([]);
    expect(check(['X-A', 'x'.repeat(7998)])).toEqual([' too_long']);
  });
});
