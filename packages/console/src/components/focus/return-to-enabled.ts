import { isFocusFree } from './use-arrival.ts';

/**
 * Gives the focus back to a button that was disabled while its request ran, because the browser
 * takes the focus from what is disabled. Call it once.
 */
export function returnFocusToEnabled(): void {
  let last: EventTarget | null = null;
  document.addEventListener('focusin', ({ target }) => {
    last = target;
  });
  document.addEventListener('focusout', ({ target }) => {
    // A person has left it by a click on nothing. What is disabled can become enabled again.
    if (!(target as Element).matches(':disabled')) last = null;
  });
  new MutationObserver((changes) => {
    const isBack = changes.some(({ target }) => target === last && !(target as Element).matches(':disabled'));
    if (isBack && isFocusFree()) (last as HTMLElement).focus({ preventScroll: true });
  }).observe(document, { subtree: true, attributeFilter: ['disabled'] });
}
