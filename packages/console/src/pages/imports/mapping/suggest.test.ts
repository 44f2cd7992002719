import { describe, expect, test } from 'vitest';
import { describeColumns, numberFormatOf } from './suggest.ts';

describe('the format of numbers', () => {
  test.each([
    ['comma', ['99,90', '1.234', '5']],
    ['point', ['1,234.50', '7']],
    ['point', ['1,234,567']],
    [undefined, ['1,234']],
    [undefined, ['99.90', '5']],
    [undefined, ['01067', '1,5']],
    [undefined, ['+49 123,4']],
    [undefined, ['99,90', 'free']],
    [undefined, ['1234567890123456,5']],
    [undefined, []],
  ] as const)('is %s for %j', (format, samples) => {
    expect(numberFormatOf(samples)).toBe(format);
  });
});

test('a column gets the format of its numbers, whether the attribute exists or not', () => {
  const rows = [
    ['a@b.co', '99,90', '1,5', '1.5', '2,5'],
    ['c@d.co', '5', '2', '2', ''],
  ];
  const attributes = [
    { name: 'SPENT', dataType: 'number' },
    { name: 'SIZE', dataType: 'number' },
    { name: 'REMARK', dataType: 'text' },
  ];
  const { columns } = describeColumns(['EMAIL', 'Spent', 'Preis', 'Size', 'Remark'], rows, {
    attributes,
    earlier: undefined,
  });
  expect(columns.map(({ suggestion }) => suggestion)).toEqual([
    'EMAIL',
    { field: 'SPENT', number_format: 'comma' },
    { field: 'PREIS', data_type: 'number', number_format: 'comma' },
    'SIZE',
    'REMARK',
  ]);
});
