import { expect, test } from 'vitest';
import { cpuTime } from '../../../../test/support/cpu-time.ts';
import { readForm } from './form.ts';

const json = '{"primary_key":"a+b&c%40=d@example.com","x":"}\\"{"}';

test.each<[string, string, [string, string][]]>([
  ['nothing', '', []],
  [
    'pairs',
    'a=1&b=2',
    [
      ['a', '1'],
      ['b', '2'],
    ],
  ],
  [
    'encoded pairs',
    'a+b=c+d&e%3D=%26%C3%A9',
    [
      ['a b', 'c d'],
      ['e=', '&é'],
    ],
  ],
  ['a name without a value', 'a&b=&c', [['b', '']]],
  [
    'what is no encoding',
    'a=100%&b=%zz',
    [
      ['a', '100%'],
      ['b', '%zz'],
    ],
  ],
  ['JSON as it stands', `data=${json}`, [['data', json]]],
  ['JSON with spaces around', ` data = \n${json} \n`.trim(), [['data ', json]]],
  [
    'JSON between others',
    `a=1&data=${json}&b=2`,
    [
      ['a', '1'],
      ['data', json],
      ['b', '2'],
    ],
  ],
  [
    'JSON that is encoded',
    `data=${encodeURIComponent(json)}&b=2`,
    [
      ['data', json],
      ['b', '2'],
    ],
  ],
  ['JSON as a form encodes it', new URLSearchParams({ data: json }).toString(), [['data', json]]],
  [
    'a text in quotes',
    `data="a&b+c\\"=d"&e=f`,
    [
      ['data', '"a&b+c\\"=d"'],
      ['e', 'f'],
    ],
  ],
  [
    'a text that is encoded as a whole',
    encodeURIComponent(`data=${json}&b=2`),
    [
      ['data', json],
      ['b', '2'],
    ],
  ],
  ['JSON that does not end', 'data={"a":1&b=2', [['data', '{"a":1&b=2']]],
  ['JSON with something behind it', 'data={"a":1} b=2', [['data', '{"a":1} b=2']]],
  ['no form', 'hello', []],
  ['no form, with something that looks encoded', '%3d%3', []],
])('reads %s', (_name, text, expected) => {
  expect(readForm(text)).toEqual(expected);
});

test.each([
  'data='.repeat(13_000),
  '&'.repeat(65_536),
  '%3d'.repeat(21_000),
  `data=${'{'.repeat(65_000)}`,
  'data={}&'.repeat(8000),
])('reads a text of four times the largest body within milliseconds', (text) => {
  expect(cpuTime(() => void readForm(text))).toBeLessThan(500);
});
