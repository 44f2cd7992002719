import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import type { AxeResults, RunOnly } from 'axe-core';
import type { Page } from 'playwright-core';
import { expect } from 'vitest';

let source: string | undefined;
/** All rules, by their tags. */
const standards: RunOnly = {
  type: 'tag',
  values: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'],
};
const colourRules: RunOnly = { type: 'rule', values: ['color-contrast', 'link-in-text-block'] };

/**
 * Expects that axe finds no violation of WCAG 2.2 AA in the page, in light and in dark. Ends with
 * the scheme that the page had. With `colours`, only the colours are checked: an open menu is outside
 * of all landmarks, as it must lie over the page.
 */
export async function expectAccessible(page: Page, only?: 'colours'): Promise<void> {
  source ??= await readFile(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
  // Evaluated by the debugger, so the policy of the page does not apply.
  if (!(await page.evaluate(() => 'axe' in globalThis))) await page.evaluate(`${source}; undefined`);
  const before = await page.evaluate(() => (matchMedia('(prefers-color-scheme: dark)').matches ? 'dark' : 'light'));
  for (const scheme of [before === 'dark' ? 'light' : 'dark', before] as const) {
    await page.emulateMedia({ colorScheme: scheme });
    // Pages of the documentation have no such attribute. They follow the browser at once.
    await page.waitForFunction(
      (wanted) => (document.documentElement.getAttribute('data-mantine-color-scheme') ?? wanted) === wanted,
      scheme,
    );
    // A table that loads again is dimmed until its rows are there.
    await page.waitForFunction(() => document.querySelector('[data-refreshing]') === null);
    // Until the colours have changed.
    await page.evaluate(() => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve))));
    // The other scheme differs only in its colours.
    const rules = scheme === before && only !== 'colours' ? standards : colourRules;
    expect(await violationsOf(page, rules), `violations in ${scheme} at ${page.url()}`).toEqual([]);
  }
}

/** Returns a line for each element that violates a rule. */
async function violationsOf(page: Page, rules: RunOnly): Promise<string[]> {
  const { violations } = (await page.evaluate(
    `axe.run(document, { resultTypes: ['violations'], runOnly: ${JSON.stringify(rules)} })`,
  )) as Pick<AxeResults, 'violations'>;
  return violations.flatMap(({ id, help, nodes }) =>
    nodes.map(({ html, failureSummary }) => `${id}: ${help}\n  ${html}\n  ${failureSummary ?? ''}`),
  );
}
