import type { Browser, BrowserContext, Page, Request } from 'playwright-core';

/** How a window looks. */
export interface WindowOptions {
  readonly colorScheme?: 'light' | 'dark';
  /** Pixels; default: 1280 × 800. */
  readonly width?: number;
  readonly height?: number;
  readonly locale?: string;
  readonly timeZone?: string;
  /** The screen of a phone or tablet, without a mouse. */
  readonly touch?: boolean;
  /** Opens the service at this name instead of `127.0.0.1`. */
  readonly host?: 'localhost';
  /** The test itself makes requests fail, so a failed response of the API is no fault. */
  readonly failsRequests?: boolean;
  /** Starts with an empty cache, and does not use it. Otherwise, windows with equal options share one. */
  readonly emptyCache?: boolean;
}

/** A window of the browser that notes everything that a page must not do. */
export interface Window {
  readonly page: Page;
  readonly context: BrowserContext;
  /** Closes all pages of the window. */
  close(): Promise<void>;
  /** Faults until now: errors in the console of the browser, failed files, outside requests. */
  readonly faults: string[];
}

/** Responses of the API with these statuses are normal: pages show them. */
const failedResponse = /^Failed to load resource: the server responded with a status of (4\d\d|503)/;

const anyFailedResponse = /^Failed to load resource: the server responded with a status of \d+/;

/** What React says about requests that the test makes fail, and about code that is then missing. */
const failedHere = /^(RosterError: |(Type)?Error: A part of the console could not be loaded)/;

/** The failure of requests while a test has switched the network off. */
const offline = 'net::ERR_INTERNET_DISCONNECTED';

/**
 * Contexts whose window is closed, by their options. The next window with these options takes one,
 * because its cache has the files of the console. Cookies and stored values are removed first.
 */
const closed = new WeakMap<Browser, Map<string, BrowserContext[]>>();

/** Opens a window with cookies of its own. `origin` is the address of the service. */
export async function openWindow(browser: Browser, origin: string, options: WindowOptions = {}): Promise<Window> {
  const { failsRequests = false, emptyCache = false } = options;
  const normalResponse = failsRequests ? anyFailedResponse : failedResponse;
  const waiting = contextsFor(browser, origin, options);
  const used = waiting.pop();
  const context = used ?? (await newContext(browser, origin, options));
  const faults: string[] = [];
  // The browser resolves no names, and reaches no address of another machine (see startChromium).
  const noteOutside = (request: Request): void => {
    const url = new URL(request.url());
    if (url.origin !== origin && url.protocol.startsWith('http'))
      faults.push(`a request to ${request.url()}, outside of the service`);
  };
  context.on('request', noteOutside);
  const page = await context.newPage();
  if (used !== undefined) await forgetPerson(page, origin);
  page.on('pageerror', (error) => faults.push(`an error in the page: ${error.stack ?? error.message}`));
  page.on('console', (message) => {
    if (failsRequests && failedHere.test(message.text())) return;
    if (message.type() !== 'error' || normalResponse.test(message.text()) || message.text().includes(offline)) return;
    faults.push(`an error in the console of the browser: ${message.text()}`);
  });
  page.on('response', (response) => {
    const { pathname } = new URL(response.url());
    if (response.status() >= 400 && pathname.startsWith('/console'))
      faults.push(`${response.status()} for ${pathname}`);
    if (response.status() >= 500 && response.status() !== 503 && !failsRequests) {
      faults.push(`${response.status()} for ${pathname}`);
    }
  });
  page.on('requestfailed', (request: Request) => {
    const reason = request.failure()?.errorText ?? '';
    // A page that is left aborts its requests.
    if (reason !== 'net::ERR_ABORTED' && reason !== offline) faults.push(`${reason} for ${request.url()}`);
  });
  return {
    page,
    context,
    faults,
    async close() {
      // The test itself may have closed the browser.
      if (!browser.isConnected()) return;
      if (emptyCache) return context.close();
      for (const open of context.pages()) await open.close();
      context.off('request', noteOutside);
      await context.setOffline(false);
      waiting.push(context);
    },
  };
}

/** Returns the contexts that a window with these options can take. */
function contextsFor(browser: Browser, origin: string, options: WindowOptions): BrowserContext[] {
  const all = closed.get(browser) ?? new Map<string, BrowserContext[]>();
  closed.set(browser, all);
  const key = JSON.stringify([origin, options]);
  const found = all.get(key) ?? [];
  all.set(key, found);
  return found;
}

async function newContext(browser: Browser, origin: string, options: WindowOptions): Promise<BrowserContext> {
  const { colorScheme = 'light', width = 1280, height = 800, locale = 'en-GB', timeZone = 'Asia/Kolkata' } = options;
  const context = await browser.newContext({
    baseURL: origin,
    viewport: { width, height },
    colorScheme,
    locale,
    timezoneId: timeZone,
    reducedMotion: 'reduce',
    hasTouch: options.touch === true,
    isMobile: options.touch === true,
    permissions: ['clipboard-read', 'clipboard-write'],
  });
  // Long enough for a machine that runs all other tests at the same time.
  context.setDefaultTimeout(30_000);
  // Routes switch the cache off.
  if (options.emptyCache === true) await context.route('**', (route) => route.continue());
  return context;
}

/** Removes everything that the person in the last window has left. */
async function forgetPerson(page: Page, origin: string): Promise<void> {
  const context = page.context();
  await context.clearCookies();
  const devtools = await context.newCDPSession(page);
  const storageTypes = 'local_storage,indexeddb,websql,service_workers,cache_storage';
  await devtools.send('Storage.clearDataForOrigin', { origin, storageTypes });
  await devtools.detach();
}
