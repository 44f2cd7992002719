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

test('a new column of dates gets their format, unless the service finds the type by itself', () => {
  const rows = [
    ['31.01.2024', '1/31/2024 2:05 PM', '2024-01-31 14:05', '2024-01-31', '2024-01-31T14:05:00Z', '31.01.2024'],
    ['01.02.2024', '2/1/2024 9:00 AM', '2024-02-01 09:00', '2024-02-01', '2024-02-01T09:00:00+01:00', 'soon'],
  ];
  const headers = ['Wedding', 'Called at', 'Paid at', 'Renewal', 'Seen at', 'Delivery'];
  const { columns } = describeColumns(headers, rows, { attributes: [], earlier: undefined });
  expect(columns.map(({ suggestion }) => suggestion)).toEqual([
    { field: 'WEDDING', data_type: 'date', date_format: 'dmy' },
    { field: 'CALLED_AT', data_type: 'datetime', date_format: 'mdy' },
    { field: 'PAID_AT', data_type: 'datetime', date_format: 'ymd' },
    { automatic: 'RENEWAL' },
    { automatic: 'SEEN_AT' },
    { automatic: 'DELIVERY' },
  ]);
});

test('a known attribute gets the format of its dates, unless it can be read without', () => {
  const rows = [['2024-01-31 14:05', '2024/1/31', '2024-01-31T14:05:00Z', '2024-01-31', '31.01.2024']];
  const attributes = [
    { name: 'PAID_AT', dataType: 'datetime' },
    { name: 'RENEWAL', dataType: 'date' },
    { name: 'SEEN_AT', dataType: 'datetime' },
    { name: 'BORN', dataType: 'date' },
    { name: 'BIRTH_DATE', dataType: 'date' },
  ];
  const headers = ['Paid at', 'Renewal', 'Seen at', 'Born', 'Geburtsdatum'];
  const { columns } = describeColumns(headers, rows, { attributes, earlier: undefined });
  expect(columns.map(({ suggestion }) => suggestion)).toEqual([
    { field: 'PAID_AT', date_format: 'ymd' },
    { field: 'RENEWAL', date_format: 'ymd' },
    'SEEN_AT',
    'BORN',
    { field: 'BIRTH_DATE', date_format: 'dmy' },
  ]);
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

test('a column is suggested for an attribute with another name only if it is a typing error', () => {
  const attributes = ['STATE', 'COUNTRY', 'CITY', 'FIRST_NAME'].map((name) => ({ name, dataType: 'text' }));
  const headers = ['E-Mail', 'Frist name', 'Contry', 'Status', 'Store', 'Start', 'Count', 'Straße', 'City code'];
  const { columns } = describeColumns(headers, [headers.map(() => 'x')], { attributes, earlier: undefined });
  expect(columns.map(({ suggestion }) => suggestion)).toEqual([
    'EMAIL',
    { automatic: 'FRIST_NAME' },
    'COUNTRY',
    { automatic: 'STATUS' },
    { automatic: 'STORE' },
    { automatic: 'START' },
    { automatic: 'COUNT' },
    { field: 'STREET', data_type: 'text' },
    { automatic: 'CITY_CODE' },
  ]);
});
