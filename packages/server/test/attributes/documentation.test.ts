import { readFileSync } from 'node:fs';
import { dataTypes, type DataType } from '@roster/contract';
import { describe, expect, test } from 'vitest';
import { coerce } from '#features/registry/coerce.ts';

const guide = readFileSync(new URL('../../../../docs/attributes.md', import.meta.url), 'utf8');

/**
 * The rows of the table below a heading: the input and the stored value, which is undefined if the
 * input does not fit.
 */
function tableOf(dataType: DataType): [input: string, stored: string | undefined][] {
  const section = guide.split(`\n### ${dataType}\n`)[1]?.split('\n#')[0] ?? '';
  return [...section.matchAll(/^\| `(.+?)` +\| (?:`(.+)`|does not fit) +\|$/gm)].map(([, input, stored]) => [
    input!,
    stored,
  ]);
}

describe.each(dataTypes.filter((type) => type !== 'long_text'))('the guide on values of type %s', (dataType) => {
  const rows = tableOf(dataType);

  test('the guide has a table for this type', () => {
    expect(rows.length).toBeGreaterThan(8);
  });

  test.each(rows)('the guide shows how %s is stored', (input, stored) => {
    const value = JSON.parse(input) as string | number | boolean;
    expect(coerce(dataType, value)).toStrictEqual(stored === undefined ? undefined : JSON.parse(stored));
  });
});
