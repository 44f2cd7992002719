import { exportColumns } from '@roster/contract';
import { expect, test } from 'vitest';
import { fieldTable } from '#features/search/filter/fields.ts';

test('the description of the columns of an export names every field that can be one', () => {
  const { description } = exportColumns as { description?: string };
  for (const [name, { category }] of Object.entries(fieldTable)) {
    if (category === 'config') expect(description).toContain(`\`${name.toUpperCase()}\``);
  }
});
