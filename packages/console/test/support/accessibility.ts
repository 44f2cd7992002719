import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import type { AxeResults } from 'axe-core';
import type { Page } from 'playwright-core';
import { expect } from 'vitest';

let source: string | undefined;

/**
 * Expects that axe finds no violation of WCAG 2.2 AA in the page, in light and in dark. Ends with
 * the scheme that the page had.
 */
export async function expectAccessible(page: Page): Promise<void> {
  source ??= await readFile(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
  const before = await page.evaluate(() => (matchMedia('(prefers-color-scheme: dark)').matches ? 'dark' : 'light'));
  for (const scheme of [before === 'dark' ? 'light' : 'dark', before] as const) {
    await page.emulateMedia({ colorScheme: scheme });
    // Pages of the documentation have no such attribute. They follow the browser at once.
    await page.waitForFunction(
      (wanted) => (document.documentElement.getAttribute('data-mantine-color-scheme') ?? wanted) === wanted,
      scheme,
    );
    // Until the colours have changed.
    await page.evaluate(() => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve))));
    expect(await violationsOf(page, source), `violations in ${scheme} at ${page.url()}`).toEqual([]);
  }
}

/** Returns a line for each element that violates a rule. */
async function violationsOf(page: Page, program: string): Promise<string[]> {
  // Evaluated by the debugger, so the policy of the page does not apply.
  const { violations } = (await page.evaluate(`(async () => {
    ${program};
    return await axe.run(document, {
      resultTypes: ['violations'],
      runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'],
    });
  })()`)) as Pick<AxeResults, 'violations'>;
  return violations.flatMap(({ id, help, nodes }) =>
    nodes.map(({ html, failureSummary }) => `${id}: ${help}\n  ${html}\n  ${failureSummary ?? ''}`),
  );
}
