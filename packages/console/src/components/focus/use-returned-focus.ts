import { useEffect, useState } from 'react';
import { isFocusFree } from './use-arrival.ts';

/** Milliseconds in which a page can give the focus to something else after a dialog has closed. */
const grace = 10;

/**
 * Returns the focus when a dialog closes: to what had it before, or to the button of the menu that
 * opened the dialog. If that is gone, such as with a deleted row, the table of the page gets it.
 */
export function useReturnedFocus(isOpen: boolean): void {
  // Read while the dialog is drawn, because a menu is gone afterwards.
  const [opening, setOpening] = useState(() => ({ isOpen, opener: isOpen ? focusedNow() : null }));
  if (opening.isOpen !== isOpen) setOpening({ isOpen, opener: isOpen ? focusedNow() : opening.opener });
  const { opener } = opening;
  useEffect(() => {
    if (!isOpen) return;
    const { pathname } = location;
    return () => {
      const atClose = document.activeElement;
      setTimeout(() => {
        const focused = document.activeElement;
        if (!isFocusFree() && focused !== atClose) return;
        const target = opener?.isConnected === true ? opener : location.pathname === pathname ? rowOfTable() : null;
        target?.focus({ preventScroll: true });
      }, grace);
    };
  }, [isOpen, opener]);
}

/** Returns what gets the focus back: the focused element, or the button of the menu that it is in. */
function focusedNow(): HTMLElement | null {
  const focused = document.activeElement;
  const menu = focused?.closest('[role="menu"]');
  const opener = menu == null ? focused : document.getElementById(menu.getAttribute('aria-labelledby') ?? '');
  return opener instanceof HTMLElement && opener !== document.body ? opener : null;
}

const rowOfTable = (): HTMLElement | null => document.querySelector('main [role="grid"] [role="row"][tabindex="0"]');
