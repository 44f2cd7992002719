import { useBlocker } from '@tanstack/react-router';
import { useEffect, useRef } from 'react';
import { useTexts } from '#texts/use-texts.ts';

/** A place of the console, as its address names it. */
interface Place {
  readonly pathname: string;
  readonly search: object;
}

/** See {@link useUnsavedChanges}. */
interface UnsavedChangesOptions {
  readonly isRunning?: boolean;
  readonly question?: string | undefined;
  readonly keeps?: (from: Place, to: Place) => boolean;
}

/**
 * Asks before a page with unsaved changes is left. The browser asks with its own words when the
 * window is closed. Returns a function that lets the page leave by itself, without a question.
 *
 * - `isRunning`: the changes are being saved. A person who goes back would not see the result. The
 *   page itself can go on to another page.
 * - `question` replaces the usual question.
 * - `keeps` tells which changes of the address lose nothing; default: none.
 */
export function useUnsavedChanges(hasChanges: boolean, options: UnsavedChangesOptions = {}): () => void {
  const t = useTexts('common');
  const mayLeave = useRef(false);
  useEffect(() => {
    // The next changes are asked for again.
    if (!hasChanges) mayLeave.current = false;
  }, [hasChanges]);
  const { isRunning = false, keeps } = options;
  const question = isRunning ? t('running') : (options.question ?? t('unsaved'));
  useBlocker({
    disabled: !hasChanges,
    enableBeforeUnload: () => hasChanges,
    shouldBlockFn: ({ current, next, action }) =>
      !mayLeave.current &&
      !(isRunning && (action === 'PUSH' || action === 'REPLACE')) &&
      keeps?.(current, next) !== true &&
      !confirm(question),
  });
  return () => {
    mayLeave.current = true;
  };
}

/** Tells whether a change of the address stays on the page, and on its tab. For {@link useUnsavedChanges}. */
export function isSameTab(from: Place, to: Place): boolean {
  return from.pathname === to.pathname && tabOf(from.search) === tabOf(to.search);
}

const tabOf = (search: object): unknown => ('tab' in search ? search.tab : undefined);

/** Tells whether a change of the address stays on the page. For {@link useUnsavedChanges}. */
export const isSamePage = (from: Place, to: Place): boolean => from.pathname === to.pathname;

/** What closes a dialog with entries. */
export interface GuardedClose {
  /** Closes the dialog. Asks first if there are entries. */
  readonly close: () => void;
  /** Closes the dialog after its entries were saved. */
  readonly closeSaved: () => void;
}

/**
 * Asks before something with entries is closed or its page is left. Dialogs have this from `Dialog`.
 * `options`: see {@link useUnsavedChanges}.
 */
export function useGuardedClose(
  hasDraft: boolean,
  onClose: () => void,
  options: UnsavedChangesOptions = {},
): GuardedClose {
  const t = useTexts('common');
  const leave = useUnsavedChanges(hasDraft, options);
  function closeSaved(): void {
    // The open dialog can be part of the address.
    leave();
    onClose();
  }
  return {
    close() {
      if (!hasDraft || confirm(t('unsavedForm'))) closeSaved();
    },
    closeSaved,
  };
}
