import { readdir, readFile } from 'node:fs/promises';
import { expect, test } from 'vitest';

test('docs/mails.md lists every mail template', async () => {
  const page = await readFile(new URL('../../../../docs/mails.md', import.meta.url), 'utf8');
  const files = await readdir(new URL('../../src/features/mails/templates/', import.meta.url));
  const names = files.filter((file) => !file.endsWith('.test.ts')).map((file) => file.replace('.ts', ''));
  expect(names).toContain('sign-up-link');
  for (const name of names) expect(page).toContain(`| \`${name.replaceAll('-', '_')}\` `);
});
