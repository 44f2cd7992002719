import type { AddressInfo } from 'node:net';
import type { Page } from 'playwright-core';
import { onTestFinished, TestRunner } from 'vitest';
import { newSetUpToken } from '../../../server/src/features/users/set-up/set-up.ts';
import { startTestService, type TestService } from '../../../server/test/support/service.ts';
import { startChromium } from './chromium.ts';
import { addMember, owner, type TestRole } from './people.ts';
import { openWindow, type Window, type WindowOptions } from './window.ts';

/** The service with its console, and a browser. */
export interface TestConsole extends AsyncDisposable {
  readonly service: TestService;
  /** Address of the service. */
  readonly url: string;
  /** The link of the first start, which creates the owner. */
  setUpLink(): Promise<string>;
  /** Opens a window in which nobody is signed in. */
  open(options?: WindowOptions): Promise<Page>;
  /**
   * Opens a window in which a member of account 1 is signed in (default: the owner), at the home
   * page or at `path`, such as `/accounts/1/contacts`.
   */
  signIn(options?: WindowOptions & { role?: TestRole; unmasked?: boolean; path?: string }): Promise<Page>;
}

/**
 * Starts a service with a worker and a browser for a test file. Disposing of it fails if a page had
 * an error, violated its policy, or sent a request to another machine.
 *
 *     const web = await forFile(startConsole());
 *     const page = await web.signIn({ path: '/accounts/1/audiences' });
 */
export async function startConsole(options: Parameters<typeof startTestService>[0] = {}): Promise<TestConsole> {
  const [service, browser] = await Promise.all([startTestService(options), startChromium()]);
  await service.app.listen({ port: 0, host: '127.0.0.1' });
  const { port } = service.app.server.address() as AddressInfo;
  const url = `http://127.0.0.1:${port}`;
  const originOf = ({ host }: WindowOptions): string => `http://${host ?? '127.0.0.1'}:${port}`;
  const windows: Window[] = [];

  async function open(look: WindowOptions = {}): Promise<Window> {
    const window = await openWindow(browser, originOf(look), look);
    windows.push(window);
    // Open pages slow down the tests that follow.
    if (TestRunner.getCurrentTest() !== undefined) onTestFinished(() => window.close());
    return window;
  }

  return {
    service,
    url,
    async setUpLink() {
      return `${url}/console/set-up#token=${(await newSetUpToken(service.context)) ?? ''}`;
    },
    async open(look) {
      return (await open(look)).page;
    },
    async signIn({ role = 'owner', unmasked = false, path = '', ...look } = {}) {
      const { page, context } = await open(look);
      const { email, password } = role === 'owner' ? owner : await addMember(service.context, role, unmasked);
      if (role === 'owner') await ensureOwner(service);
      const response = await context.request.post('/admin/v1/session', {
        data: { email, password },
        headers: { origin: originOf(look) },
      });
      if (!response.ok()) throw new Error(`the sign-in was refused: ${await response.text()}`);
      await page.goto(`/console${path}`);
      return page;
    },
    async [Symbol.asyncDispose]() {
      const faults = windows.flatMap((window) => window.faults);
      await browser.close();
      await service[Symbol.asyncDispose]();
      if (faults.length > 0) throw new Error(`The pages had faults:\n\n${faults.join('\n')}`);
    },
  };
}

/** Creates the owner of account 1 by the link of the first start, unless it exists. */
async function ensureOwner(service: TestService): Promise<void> {
  const token = await newSetUpToken(service.context);
  if (token === undefined) return;
  const headers = { 'sec-fetch-site': 'same-origin' };
  const answer = await service.call('POST', '/admin/v1/set-up', { body: { token, ...owner }, headers });
  if (answer.status !== 200) throw new Error(`the set-up was refused: ${JSON.stringify(answer.body)}`);
}
