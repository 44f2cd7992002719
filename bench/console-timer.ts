import type { Page } from 'playwright-core';

/** How a measurement begins: with a click on an element, or with another address of the console. */
type Action = { readonly click: string } | { readonly go: string };

/** What the page must show at the end of a measurement. */
export interface Until {
  /** There is an element for each selector, which contains the text. */
  readonly all: readonly { readonly selector: string; readonly text?: string }[];
  /** There is no element for these selectors. */
  readonly none?: readonly string[];
}

/**
 * Does something in the page, and returns the milliseconds until the page shows what is expected.
 * The clock runs in the page, so the connection to the browser is not measured. The page is looked
 * at before each frame. With `first`, this selector must have been found before.
 */
export async function timeInPage(page: Page, action: Action, until: Until, first?: string): Promise<number> {
  const script = `(async ({ action, until, first }) => {
    const frame = () => new Promise(requestAnimationFrame);
    const isShown = ({ selector, text = '' }) =>
      [...document.querySelectorAll(selector)].some((one) => one.textContent.includes(text));
    const isReady = () => until.all.every(isShown) && !(until.none ?? []).some((one) => document.querySelector(one));
    const started = performance.now();
    if (action.click !== undefined) document.querySelector(action.click).click();
    else {
      history.pushState(null, '', action.go);
      dispatchEvent(new PopStateEvent('popstate'));
    }
    await frame();
    if (first !== undefined) while (document.querySelector(first) === null && performance.now() - started < 1000) await frame();
    while (!isReady()) {
      if (performance.now() - started > 60_000) throw new Error('nothing after a minute: ' + JSON.stringify({ action, until }));
      await frame();
    }
    return performance.now() - started;
  })(${JSON.stringify({ action, until, first })})`;
  return Number(await page.evaluate(script));
}
