import type { MantineSize } from '@mantine/core';
import { createContext, useContext, useLayoutEffect, useState, type ReactNode } from 'react';
import { useTexts } from '#texts/use-texts.ts';
import { useIsHere } from './use-is-here.ts';
import { useReturnedFocus } from '#components/focus/use-returned-focus.ts';
import { useGuardedClose } from './use-unsaved-changes.ts';

/** What the content of a dialog tells the dialog. */
interface DialogState {
  /** A request runs. The dialog cannot be closed, so that its result or failure is seen. */
  readonly isRunning?: boolean;
  /** It has entries that are not saved. Closing the dialog or leaving the page asks first. */
  readonly hasEntries?: boolean;
  /** It shows what is never shown again. Only its own button closes the dialog. */
  readonly isShownOnce?: boolean;
}

/** What the content of a dialog can do with the dialog. */
interface DialogControl {
  /**
   * Closes the dialog after its work is done. Then it calls `next`, such as to go to another page,
   * unless the person has left the page meanwhile.
   */
  readonly closeDone: (next?: () => void) => void;
}

const nothing: DialogState = {};

interface DialogFrame {
  readonly isRunning: boolean;
  /** Closes the dialog as a person does: not while a request runs, and with a question about entries. */
  readonly close: () => void;
  readonly closeDone: () => void;
  readonly report: (state: DialogState) => void;
  /** Another dialog lies over this one, or no longer. It gets the Escape key. */
  readonly setCovered: (isCovered: boolean) => void;
}

/** The dialog around a component. */
export const DialogContext = createContext<DialogFrame>({
  isRunning: false,
  close: () => undefined,
  closeDone: () => undefined,
  report: () => undefined,
  setCovered: () => undefined,
});

/** Tells the dialog around the content about its state, and returns what closes the dialog. */
export function useDialog({ isRunning = false, hasEntries = false, isShownOnce = false }: DialogState): DialogControl {
  const { report, closeDone } = useContext(DialogContext);
  const isHere = useIsHere();
  // Before the next key, which may close the dialog.
  useLayoutEffect(() => report({ isRunning, hasEntries, isShownOnce }), [report, isRunning, hasEntries, isShownOnce]);
  // The next content, such as of the next opening, starts anew.
  useLayoutEffect(() => () => report(nothing), [report]);
  return {
    closeDone(next) {
      const goesOn = isHere();
      closeDone();
      if (goesOn) next?.();
    },
  };
}

/** What a dialog gets. */
export interface DialogProps {
  readonly isOpen: boolean;
  /** Closes the dialog. It is called only when the dialog may close. */
  readonly onClose: () => void;
  readonly title: string;
  readonly size?: MantineSize;
  readonly children: ReactNode;
}

/** Returns the properties of the component that draws a dialog, and what its content can do with it. */
export function useDialogFrame(isOpen: boolean, onClose: () => void) {
  const t = useTexts('common');
  const [reported, report] = useState(nothing);
  const { isRunning = false, hasEntries = false, isShownOnce = false } = isOpen ? reported : nothing;
  const guard = useGuardedClose(hasEntries || isShownOnce || isRunning, onClose, {
    isRunning,
    question: isShownOnce ? t('shownOnce') : undefined,
  });
  useReturnedFocus(isOpen);
  const { setCovered: coverOuter } = useContext(DialogContext);
  const [isCovered, setCovered] = useState(false);
  useLayoutEffect(() => {
    if (!isOpen) return;
    coverOuter(true);
    return () => coverOuter(false);
  }, [isOpen, coverOuter]);
  const isHeld = isRunning || isShownOnce;
  const close = (): void => {
    if (!isRunning) guard.close();
  };
  return {
    frame: {
      opened: isOpen,
      onClose: close,
      closeOnEscape: !isHeld && !isCovered,
      closeOnClickOutside: !isHeld,
      withCloseButton: !isShownOnce,
      closeButtonProps: { 'aria-label': t('actions.close'), disabled: isRunning },
      returnFocus: false,
    },
    control: { isRunning, close, closeDone: guard.closeSaved, report, setCovered },
  };
}
