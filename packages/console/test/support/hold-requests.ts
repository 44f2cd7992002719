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

/**
 * Loses the answer to the first changing request of a page to an address: the service does what it
 * asks, and the connection breaks.
 */
export async function loseAnswer(page: Page, address: string): Promise<void> {
  let isLost = false;
  await page.route(address, async (route) => {
    if (isLost || route.request().method() === 'GET') return route.fallback();
    isLost = true;
    await route.fetch();
    await route.abort('internetdisconnected');
  });
}
