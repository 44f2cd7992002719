import { useBlocker } from '@tanstack/react-router';
import { useRef } from 'react';
import { useTexts } from '#texts/use-texts.ts';

/**
 * Asks before a page with unsaved changes is left. The browser asks with its own words when the
 * window is closed. Returns a function that lets the page leave by itself, without a question.
 */
export function useUnsavedChanges(hasChanges: boolean): () => void {
  const t = useTexts('common');
  const mayLeave = useRef(false);
  useBlocker({
    enableBeforeUnload: () => hasChanges,
    shouldBlockFn: () => hasChanges && !mayLeave.current && !confirm(t('unsaved')),
  });
  return () => {
    mayLeave.current = true;
  };
}
