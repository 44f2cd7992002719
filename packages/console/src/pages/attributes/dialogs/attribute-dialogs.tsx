import type { OperatorAttribute } from '@roster/client';
import type { ReactNode } from 'react';
import { AttributeFormDialog } from './attribute-form.tsx';
import { DeleteDialog } from './delete-dialog.tsx';
import { FillDialog } from './fill-dialog.tsx';

/** Something to do with an attribute. */
export type AttributeAction = 'edit' | 'fill' | 'delete';

/** An action that a person has chosen. `create` needs no attribute. */
export type ChosenAction =
  | { readonly action: 'create' }
  | { readonly action: AttributeAction; readonly attribute: OperatorAttribute };

/** The dialog of a chosen action. */
export function AttributeDialog({
  chosen,
  onClose,
  onCreated,
  onDeleted,
}: {
  readonly chosen: ChosenAction | undefined;
  readonly onClose: () => void;
  readonly onCreated?: (name: string) => void;
  readonly onDeleted?: () => void;
}): ReactNode {
  switch (chosen?.action) {
    case undefined:
      return null;
    case 'create':
      return <AttributeFormDialog attribute={undefined} onClose={onClose} onCreated={onCreated} />;
    case 'edit':
      return <AttributeFormDialog attribute={chosen.attribute} onClose={onClose} />;
    case 'fill':
      return <FillDialog attribute={chosen.attribute} onClose={onClose} />;
    case 'delete':
      return <DeleteDialog attribute={chosen.attribute} onClose={onClose} onDeleted={onDeleted} />;
  }
}
