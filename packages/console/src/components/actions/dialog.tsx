import { Button, Modal, type ButtonProps } from '@mantine/core';
import { useContext, type ReactNode } from 'react';
import { useTexts } from '#texts/use-texts.ts';
import { DialogContext, useDialogFrame, type DialogProps } from './dialog-frame.ts';

/**
 * A dialog over the page. Its content says with {@link useDialog} when it must not be closed, or not
 * without a question. When it closes, the focus returns to what opened it.
 */
export function Dialog({ isOpen, onClose, title, size, children }: DialogProps): ReactNode {
  const { frame, control } = useDialogFrame(isOpen, onClose);
  return (
    <Modal {...frame} size={size} title={title}>
      <DialogContext value={control}>{children}</DialogContext>
    </Modal>
  );
}

/** Closes the dialog around it without doing anything. */
export function CancelButton(props: ButtonProps & { readonly 'data-autofocus'?: boolean | undefined }): ReactNode {
  const t = useTexts('common');
  const { isRunning, close } = useContext(DialogContext);
  return (
    <Button variant="default" disabled={isRunning} onClick={close} {...props}>
      {t('actions.cancel')}
    </Button>
  );
}
