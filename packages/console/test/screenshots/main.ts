// `npm run screenshots`: makes pictures of all pages, in light, dark and on a phone, with the data of
// the demo. They go to packages/console/screenshots, which git ignores.
//
//     npm run screenshots -- --only contacts --looks light,german --contacts 20000
import { spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { createServer, type AddressInfo } from 'node:net';
import os from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';
import type { Page } from 'playwright-core';
import { loadDemo } from '../../../demo/src/load.ts';
import { startDemoService } from '../../../demo/src/service.ts';
import { owner } from '../../../demo/src/team.ts';
import { startChromium } from '../support/chromium.ts';
import { openWindow, type WindowOptions } from '../support/window.ts';
import { pagesOf } from './pages.ts';

const looks: Readonly<Record<string, WindowOptions>> = {
  light: { colorScheme: 'light', width: 1440, height: 900 },
  dark: { colorScheme: 'dark', width: 1440, height: 900 },
  phone: { colorScheme: 'light', width: 375, height: 812 },
  german: { colorScheme: 'light', width: 1440, height: 900, locale: 'de-DE' },
};

const { values } = parseArgs({
  options: {
    only: { type: 'string', default: '' },
    looks: { type: 'string', default: 'light,dark,phone' },
    contacts: { type: 'string', default: '5000' },
  },
});
const directory = path.join(import.meta.dirname, '../../screenshots');

const build = spawnSync(process.execPath, [path.join(import.meta.dirname, '../../build/build.ts')], {
  stdio: 'inherit',
});
if (build.status !== 0) process.exit(1);
const dataDir = await mkdtemp(path.join(os.tmpdir(), 'roster-screenshots-'));
try {
  await makeScreenshots();
} finally {
  await rm(dataDir, { recursive: true, force: true });
}

async function makeScreenshots(): Promise<void> {
  await using service = await startDemoService({
    dataDir,
    host: '127.0.0.1',
    port: await freePort(),
    apiKey: `rk_${randomBytes(24).toString('base64url')}`,
    signal: new AbortController().signal,
    owner,
  });
  const now = new Date(Math.floor(Date.now() / 86_400_000) * 86_400_000);
  await loadDemo(service, { contacts: Number(values.contacts), seed: 1, now }, print);
  const pages = (await pagesOf(service)).filter(({ name }) => name.includes(values.only));
  const browser = await startChromium();
  try {
    for (const look of values.looks.split(',')) {
      const folder = path.join(directory, look);
      await mkdir(folder, { recursive: true });
      const { page, context, faults } = await openWindow(browser, service.url, looks[look]);
      for (const { name, path: address, isOpen, act } of pages.toSorted(
        (a, b) => Number(b.isOpen) - Number(a.isOpen),
      )) {
        if (!isOpen && (await context.cookies()).length === 0) {
          const data = { email: owner.email, password: owner.password };
          await context.request.post('/admin/v1/session', { data, headers: { origin: service.url } });
        }
        await page.goto(`/console${address}`);
        await settle(page);
        if (act !== undefined) {
          // German pages have other labels.
          await act(page).catch((error: unknown) => print(`${look} ${name}: ${String(error).split('\n')[0]!}`));
          await settle(page);
        }
        await page.screenshot({ path: path.join(folder, `${name}.png`) });
      }
      for (const fault of faults) print(`${look}: ${fault}`);
      await context.close();
    }
  } finally {
    await browser.close();
  }
  print(`${pages.length} pages are in ${directory}.`);
}

/** Waits until nothing is loading anymore. */
async function settle(page: Page): Promise<void> {
  await page.waitForLoadState('load');
  await page.locator('h1, [role=alert]').first().waitFor({ timeout: 30_000 });
  await page
    .waitForFunction(() => document.querySelector('[aria-busy="true"], .mantine-Skeleton-root') === null, undefined, {
      timeout: 5_000,
    })
    .catch(() => print(`${page.url()} is still loading`));
}

async function freePort(): Promise<number> {
  const server = createServer();
  const { promise, resolve } = Promise.withResolvers<void>();
  server.listen(0, '127.0.0.1', resolve);
  await promise;
  const { port } = server.address() as AddressInfo;
  server.close();
  return port;
}

function print(text: string): void {
  process.stdout.write(`${text}\n`);
}
