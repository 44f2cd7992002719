/**
 * Measures the web console in headless Chromium on a service with many contacts and activities: how
 * much a first visit loads, how long each page takes until it shows its data, and the memory of a
 * table that is scrolled. The console must be built (`npm start` and `npm test` do that).
 *
 * `npm run bench:console -- [--contacts 1000000] [--activities 10000000] [--runs 15]`
 */
import { open, mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';
import type { Page } from 'playwright-core';
import { startChromium } from '../packages/console/test/support/chromium.ts';
import { activityAt, recordOf } from './activity-data.ts';
import { timeInPage, type Until } from './console-timer.ts';
import { fill } from './fill.ts';
import { indexAttributes } from './index-attributes.ts';
import { quantile, shuffled, startBenchService } from './support.ts';

const { values: options } = parseArgs({
  options: {
    contacts: { type: 'string', default: '1000000' },
    activities: { type: 'string', default: '10000000' },
    runs: { type: 'string', default: '15' },
  },
});
const contacts = Number(options.contacts);
const activities = Number(options.activities);
const runs = Number(options.runs);
const owner = { email: 'owner@example.com', password: 'the-password-of-the-benchmark' };
const base = '/console/accounts/1';
const firstRow = '[role=row][data-row="0"]';
const noSkeleton = ['[aria-busy=true]', '.mantine-Skeleton-root'];

await using service = await startBenchService({
  ROSTER_OWNER_EMAIL: owner.email,
  ROSTER_OWNER_PASSWORD: owner.password,
});
await load();
const browser = await startChromium();
try {
  const page = await signIn();
  await bytes(page);
  await filters(page);
  await home(page);
  await contactPages(page);
  await scroll(page);
  await importPreview(page);
} finally {
  await browser.close();
}

/** Loads the contacts and activities through the service, and an index on CITY. */
async function load(): Promise<void> {
  const database = await service.database();
  await fill(service, database, { contacts });
  await indexAttributes(service, { CITY: true });
  const size = { activities, contacts };
  const perRequest = 10_000;
  let next = 0;
  await Promise.all(
    Array.from({ length: 4 }, async () => {
      while (next < activities) {
        const from = next;
        next += perRequest;
        const data = Array.from({ length: Math.min(perRequest, activities - from) }, (_, at) =>
          recordOf(activityAt(from + at, size)),
        );
        await service.operator('POST', '/activities', { data });
      }
    }),
  );
  await service.drained();
  // PostgreSQL does both by itself some minutes later.
  await database.query('vacuum (analyze)');
  await database.query('checkpoint');
  await database.end();
  console.log(`${contacts} contacts and ${activities} activities are loaded`);
}

async function newPage(): Promise<Page> {
  const context = await browser.newContext({
    baseURL: service.url,
    viewport: { width: 1440, height: 900 },
    reducedMotion: 'reduce',
  });
  context.setDefaultTimeout(60_000);
  return await context.newPage();
}

/** Measures from the click on “Sign in” to the first rows of the contacts, with an empty cache. */
async function signIn(): Promise<Page> {
  const milliseconds: number[] = [];
  for (let run = 0; ; run++) {
    const page = await newPage();
    await page.goto(`${base}/contacts`);
    await page.getByLabel('E-mail address').fill(owner.email);
    await page.getByLabel('Password', { exact: true }).fill(owner.password);
    milliseconds.push(
      await timeInPage(page, { click: 'button[type=submit]' }, { all: [{ selector: firstRow, text: '@' }] }),
    );
    if (run === runs - 1) {
      report('sign-in to the grid of contacts, with an empty cache', milliseconds, 1500);
      return page;
    }
    await page.context().close();
  }
}

/** Counts the compressed bytes of script and style of first visits. */
async function bytes(signedIn: Page): Promise<void> {
  const cookies = await signedIn.context().cookies();
  for (const [name, address, isSignedIn] of [
    ['sign-in page', '/console/sign-in', false],
    ['home page', base, true],
    ['contacts', `${base}/contacts`, true],
  ] as const) {
    const page = await newPage();
    if (isSignedIn) await page.context().addCookies(cookies);
    const sizes: Promise<number>[] = [];
    page.on('requestfinished', (request) => {
      if (!['script', 'stylesheet'].includes(request.resourceType())) return;
      sizes.push(request.sizes().then(({ responseBodySize }) => responseBodySize));
    });
    const started = performance.now();
    await page.goto(address);
    await page.getByRole('heading', { level: 1 }).waitFor();
    const shown = performance.now() - started;
    await page.waitForTimeout(2000);
    const total = (await Promise.all(sizes)).reduce((sum, size) => sum + size, 0);
    console.log(
      `first visit, ${name}: ${(total / 1000).toFixed(1)} kB of script and style, heading after ${shown.toFixed(0)} ms`,
    );
    await page.context().close();
  }
}

/** Measures from a changed filter in the address to the new rows, and to the exact count. */
async function filters(page: Page): Promise<void> {
  const cases: Readonly<Record<string, (n: number) => readonly [condition: unknown[], text: string]>> = {
    'filter on an indexed attribute': (n) => [[['CITY', 'equals', `City ${n}`]], `City ${n}`],
    'filter on the beginning of an address': (n) => [[['email', 'starts_with', `person${n + 10}`]], `person${n + 10}`],
    'filter on a list and an indexed attribute': (n) => [
      [
        ['list_id', 'equals', 1 + (n % 5)],
        ['CITY', 'equals', `City ${n}`],
      ],
      `City ${n}`,
    ],
  };
  for (const [name, conditionOf] of Object.entries(cases)) {
    const rows: number[] = [];
    const counts: number[] = [];
    for (const n of shuffled(200).slice(0, runs)) {
      const [conditions, text] = conditionOf(n);
      const filter = JSON.stringify(['and', ['and', ...conditions]]);
      const address = `${base}/contacts?columns=email,CITY&filter=${encodeURIComponent(filter)}`;
      const until: Until = { all: [{ selector: firstRow, text }], none: ['[data-refreshing]'] };
      rows.push(await timeInPage(page, { go: address }, until));
      const back = `${base}/contacts?columns=email,CITY`;
      await timeInPage(
        page,
        { go: back },
        { all: [{ selector: firstRow, text: '@' }], none: ['[data-refreshing]', '[role=status][data-old]'] },
      );
      const other = JSON.stringify(['and', ['and', ...conditionOf((n + 100) % 200)[0]]]);
      const counted: Until = {
        all: [{ selector: '[role=status]', text: 'contacts' }],
        none: ['[role=status][data-old]'],
      };
      counts.push(
        await timeInPage(
          page,
          { go: `${base}/contacts?columns=email,CITY&filter=${encodeURIComponent(other)}` },
          counted,
          '[role=status][data-old]',
        ),
      );
    }
    report(`${name}, to the rows`, rows, 200);
    report(`${name}, to the exact count`, counts);
  }
}

/**
 * Measures the home page, opened from the contacts once they are counted, with nothing of it in
 * memory.
 */
async function home(page: Page): Promise<void> {
  const milliseconds: number[] = [];
  for (let run = 0; run <= runs; run++) {
    await page.goto(`${base}/contacts`);
    await page.locator(firstRow).waitFor();
    await page.locator('[role=status]:not([data-old])', { hasText: 'contacts' }).waitFor();
    const until: Until = { all: [{ selector: 'main .recharts-surface' }], none: noSkeleton };
    // The console loads the scripts of a page when the mouse comes to its link.
    await page.getByRole('link', { name: 'Home' }).hover();
    await page.waitForTimeout(200);
    milliseconds.push(await timeInPage(page, { click: `a[href="${base}"]` }, until));
  }
  report('home page with its charts, opened from the contacts', milliseconds.slice(1), 300);
}

/** Measures the page of a person with the newest activities. */
async function contactPages(page: Page): Promise<void> {
  await page.goto(`${base}/contacts`);
  await page.locator(firstRow).waitFor();
  const milliseconds: number[] = [];
  for (const n of shuffled(contacts).slice(0, runs + 1)) {
    const until: Until = { all: [{ selector: 'ol[aria-label=Timeline] li' }], none: noSkeleton };
    milliseconds.push(await timeInPage(page, { go: `${base}/contacts/${n + 1}` }, until));
    await timeInPage(page, { go: `${base}/contacts` }, { all: [{ selector: firstRow, text: '@' }] });
  }
  report('page of a contact with its timeline', milliseconds.slice(1), 300);
}

/** Scrolls through 10,000 rows, and reports failed requests and the memory of JavaScript. */
async function scroll(page: Page): Promise<void> {
  await page.goto(`${base}/contacts`);
  await page.locator(firstRow).waitFor();
  let failed = 0;
  const count = (): number => failed++;
  page.on('requestfailed', count);
  const debug = await page.context().newCDPSession(page);
  const heap = async (): Promise<number> => (await debug.send('Runtime.getHeapUsage')).usedSize / 1e6;
  const scrollOn = async (): Promise<number> =>
    Number(
      await page.evaluate(
        `(() => { const s = document.querySelector('[role=grid]').parentElement; s.scrollTop += 720; return [...document.querySelectorAll('[data-row]')].at(-1).dataset.row; })()`,
      ),
    );
  const live = async (): Promise<number> => {
    await debug.send('HeapProfiler.collectGarbage');
    return await heap();
  };
  let highest = 0;
  let highestLive = 0;
  const started = performance.now();
  for (let last = 0; last < 10_000;) {
    last = await scrollOn();
    highest = Math.max(highest, await heap());
  }
  const seconds = (performance.now() - started) / 1000;
  page.off('requestfailed', count);
  highestLive = await live();
  // Once more, to see what is in use in between.
  await page.goto(`${base}/contacts`);
  await page.locator(firstRow).waitFor();
  for (let last = 0, collected = 0; last < 10_000;) {
    last = await scrollOn();
    if (last - collected < 1000) continue;
    collected = last;
    highestLive = Math.max(highestLive, await live());
  }
  console.log(
    `10,000 rows scrolled in ${seconds.toFixed(1)} s: ${failed} failed requests, ` +
      `at most ${highestLive.toFixed(0)} MB of the heap in use (goal: 150 MB), ${highest.toFixed(0)} MB with garbage`,
  );
}

/** Measures from the choice of a file of 100 MB to its preview with mapped columns. */
async function importPreview(page: Page): Promise<void> {
  const directory = await mkdtemp(path.join(os.tmpdir(), 'roster-bench-'));
  try {
    const file = path.join(directory, 'people.csv');
    await writeCsv(file, 100_000_000);
    const milliseconds: number[] = [];
    for (let run = 0; run < 4; run++) {
      await page.goto(`${base}/imports/new`);
      await page.locator('input[type=file]').waitFor({ state: 'attached' });
      const started = performance.now();
      await page.setInputFiles('input[type=file]', file);
      await page.getByRole('heading', { name: 'What the columns mean' }).waitFor();
      await page.getByRole('grid', { name: 'What the columns mean' }).getByText('FIRST_NAME').first().waitFor();
      milliseconds.push(performance.now() - started);
    }
    report('import: preview and mapping of a file of 100 MB', milliseconds.slice(1), 2000);
  } finally {
    await rm(directory, { recursive: true });
  }
}

async function writeCsv(file: string, size: number): Promise<void> {
  await using handle = await open(file, 'w');
  let written = (await handle.write('Email;First name;City;Score\n')).bytesWritten;
  for (let n = 0; written < size;) {
    const lines = Array.from(
      { length: 10_000 },
      () => `person${n}@example${n % 97}.com;First${n % 5000};City ${n++ % 200};${n % 1000}\n`,
    );
    written += (await handle.write(lines.join(''))).bytesWritten;
  }
}

function report(name: string, milliseconds: readonly number[], goal?: number): void {
  const at = (share: number): string => quantile(milliseconds, share).toFixed(0);
  const suffix = goal === undefined ? '' : ` (goal: ${goal} ms)`;
  console.log(`${name}: median ${at(0.5)} ms, ${at(0)} to ${at(1)} ms${suffix}`);
}
