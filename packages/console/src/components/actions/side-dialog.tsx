import { Drawer } from '@mantine/core';
import type { ReactNode } from 'react';
import { DialogContext, useDialogFrame, type DialogProps } from './dialog-frame.ts';

/** A dialog like `Dialog` at the side of the page. */
export function SideDialog({ isOpen, onClose, title, size, children }: DialogProps): ReactNode {
  const { frame, control } = useDialogFrame(isOpen, onClose);
  return (
    <Drawer {...frame} size={size} title={title} position="right">
      <DialogContext value={control}>{children}</DialogContext>
    </Drawer>
  );
}
