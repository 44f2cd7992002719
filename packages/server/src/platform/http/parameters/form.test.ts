import { expect, test } from 'vitest';
import { cpuTime } from '../../../../test/support/cpu-time.ts';
import { readForm } from './form.ts';

const json = '{"primary_key":"a+b&c%40=d@example.com","x":"}\\"{"}';

test.each<[string, string, [string, string][]]>([
  ['an empty text', '', []],
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
    'invalid percent-encoding',
    'a=100%&b=%zz',
    [
      ['a', '100%'],
      ['b', '%zz'],
    ],
  ],
  ['JSON that is not encoded', `data=${json}`, [['data', json]]],
  ['JSON with spaces around it', ` data = \n${json} \n`.trim(), [['data ', json]]],
  [
    'JSON between other parameters',
    `a=1&data=${json}&b=2`,
    [
      ['a', '1'],
      ['data', json],
      ['b', '2'],
    ],
  ],
  [
    'percent-encoded JSON',
    `data=${encodeURIComponent(json)}&b=2`,
    [
      ['data', json],
      ['b', '2'],
    ],
  ],
  ['JSON encoded as a form', new URLSearchParams({ data: json }).toString(), [['data', json]]],
  [
    'JSON in a URL as a browser sends it',
    new URL(`http://localhost/?a=1&data= {"NAME": "Ümit & \\"}" ,"MOBILE":"+9198"}&b=2`).search.slice(1),
    [
      ['a', '1'],
      ['data', '{"NAME": "Ümit & \\"}" ,"MOBILE":"+9198"}'],
      ['b', '2'],
    ],
  ],
  [
    'JSON with encoded quotes that is not valid encoding',
    'data={%22a%22:%22%zz%22}',
    [['data', '{%22a%22:%22%zz%22}']],
  ],
  [
    'a text in quotes',
    `data="a&b+c\\"=d"&e=f`,
    [
      ['data', '"a&b+c\\"=d"'],
      ['e', 'f'],
    ],
  ],
  [
    'a text that is percent-encoded as a whole',
    encodeURIComponent(`data=${json}&b=2`),
    [
      ['data', json],
      ['b', '2'],
    ],
  ],
  ['incomplete JSON', 'data={"a":1&b=2', [['data', '{"a":1&b=2']]],
  ['JSON followed by another text', 'data={"a":1} b=2', [['data', '{"a":1} b=2']]],
  ['a text that is not a form', 'hello', []],
  ['a text that is not a form but looks percent-encoded', '%3d%3', []],
])('readForm reads %s', (_name, text, expected) => {
  expect(readForm(text)).toEqual(expected);
});

test.each([
  'data='.repeat(13_000),
  '&'.repeat(65_536),
  '%3d'.repeat(21_000),
  `data=${'{'.repeat(65_000)}`,
  `data=${'{%22'.repeat(16_000)}`,
  `data=${'{%22%22}&data='.repeat(5000)}`,
  'data={}&'.repeat(8000),
])('readForm reads a text four times as large as the largest body within 500 ms', (text) => {
  expect(cpuTime(() => void readForm(text))).toBeLessThan(500);
});
