import { useBlocker } from '@tanstack/react-router';
import { useEffect, useRef, useState } from 'react';
import { useTexts } from '#texts/use-texts.ts';

/**
 * Asks before a page with unsaved changes is left. The browser asks with its own words when the
 * window is closed. Returns a function that lets the page leave by itself, without a question.
 */
export function useUnsavedChanges(hasChanges: boolean): () => void {
  const t = useTexts('common');
  const mayLeave = useRef(false);
  useEffect(() => {
    // The next changes are asked for again.
    if (!hasChanges) mayLeave.current = false;
  }, [hasChanges]);
  useBlocker({
    enableBeforeUnload: () => hasChanges,
    shouldBlockFn: () => hasChanges && !mayLeave.current && !confirm(t('unsaved')),
  });
  return () => {
    mayLeave.current = true;
  };
}

/** The entries of a form in a dialog or drawer, which its closing would lose. */
export interface DraftGuard {
  /** The form tells whether it has entries that are not saved. */
  readonly setHasDraft: (hasDraft: boolean) => void;
  /** Closes the dialog. Asks first if there are entries. */
  readonly close: () => void;
  /** Closes the dialog after its entries were saved. */
  readonly closeSaved: () => void;
}

/**
 * Asks before a dialog with entries is closed, such as by the Escape key, and before its page is
 * left. `onClose` closes the dialog.
 */
export function useDraftGuard(isOpen: boolean, onClose: () => void): DraftGuard {
  const t = useTexts('common');
  const [hasDraft, setHasDraft] = useState(false);
  const leave = useUnsavedChanges(isOpen && hasDraft);
  function closeSaved(): void {
    // The open dialog can be part of the address.
    leave();
    setHasDraft(false);
    onClose();
  }
  return {
    setHasDraft,
    close() {
      if (!hasDraft || confirm(t('unsavedForm'))) closeSaved();
    },
    closeSaved,
  };
}
