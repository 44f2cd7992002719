import { expect, test } from 'vitest';
import { TypeInference } from './infer-type.ts';

test.each<[string, unknown[], string]>([
  ['no values', [], 'text'],
  ['blanks', ['', ' ', null], 'text'],
  ['yes and no', ['yes', 'NO', ''], 'boolean'],
  ['zero and one', ['0', '1'], 'number'],
  ['numbers', ['1', '-2.5', ' 3 '], 'number'],
  ['postal codes', ['01234', '99999'], 'text'],
  ['telephone numbers', ['+4912345', '4912345'], 'text'],
  ['numbers that a double cannot hold exactly', ['12345678901234567890'], 'text'],
  ['numbers that a double writes with all digits', ['-122.4194155000001', '0.300000000000004'], 'number'],
  ['numbers with zeros at the end', ['1.50', '2.00', '100.000000000000000'], 'number'],
  ['numbers with a fraction that a double cuts', ['123456789012345.123456789'], 'text'],
  ['dates', ['2020-01-31', '31/01/2020'], 'date'],
  ['dates with months first', ['01/31/2020', '01/02/2020'], 'text'],
  ['times', ['2026-01-31T09:00:00Z'], 'datetime'],
  ['dates and times', ['2020-01-31', '2026-01-31T09:00:00Z'], 'text'],
  ['a long text', ['a', 'b'.repeat(1001)], 'long_text'],
  ['JSON numbers', [1, 2.5], 'number'],
  ['JSON booleans', [true, false], 'boolean'],
])('TypeInference infers the right type for %s', (_name, values, type) => {
  const inference = new TypeInference();
  for (const value of values) inference.add(value);
  expect(inference.type).toBe(type);
});

test('the inferred type of JSON strings with digits is text', () => {
  const inference = new TypeInference(true);
  for (const value of ['1', 2]) inference.add(value);
  expect(inference.type).toBe('text');
});
