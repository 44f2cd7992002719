import { expect, test } from 'vitest';
import { apiErrors, failureKinds, faultCodes, mailErrors } from '../../packages/contract/src/index.ts';
import { settings } from '../../packages/server/src/platform/config/settings.ts';
import { configPage } from './config-page.ts';
import { errorsPage } from './errors-page.ts';
import { table } from './markdown.ts';

test('the page of errors has every error code', () => {
  const page = errorsPage();
  for (const code of [apiErrors, faultCodes, failureKinds, mailErrors].flatMap((kinds) => Object.keys(kinds))) {
    expect(page).toContain(`| \`${code}\` |`);
  }
});

test('the page of the configuration has every variable, and no value of this machine', () => {
  const page = configPage();
  for (const { env } of Object.values(settings)) expect(page).toContain(`| \`${env}\` |`);
  expect(page).not.toContain(process.cwd());
  expect(page).not.toContain('undefined');
});

test('a table escapes bars and line breaks in its cells', () => {
  expect(table(['a', 'b'], [['x | y', 'two\nlines']])).toBe('| a | b |\n| --- | --- |\n| x \\| y | two lines |');
});
