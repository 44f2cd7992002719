import type { Page } from 'playwright-core';

/** Requests that wait. */
export interface HeldRequests {
  /** Resolves when the first of them waits. */
  readonly arrived: Promise<void>;
  /** Lets them continue to the service, and all later ones. */
  release(): void;
}

/** Holds the changing requests of a page to an address, such as `**\/exports`, as a slow connection does. */
export async function holdRequests(page: Page, address: string): Promise<HeldRequests> {
  const arrived = Promise.withResolvers<void>();
  const released = Promise.withResolvers<void>();
  await page.route(address, async (route) => {
    if (route.request().method() !== 'GET') {
      arrived.resolve();
      await released.promise;
    }
    await route.continue();
  });
  return { arrived: arrived.promise, release: released.resolve };
}
