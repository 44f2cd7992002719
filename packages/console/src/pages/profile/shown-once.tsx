import { Alert, Button, Stack } from '@mantine/core';
import type { ReactNode } from 'react';
import { useUnsavedChanges } from '#components/actions/use-unsaved-changes.ts';
import { useTexts } from '#texts/use-texts.ts';

/** Shows a secret that is never shown again, until the person closes it. Leaving the page asks first. */
export function ShownOnce({
  title,
  onClose,
  children,
}: {
  readonly title: string;
  readonly onClose: () => void;
  readonly children: ReactNode;
}): ReactNode {
  const common = useTexts('common');
  useUnsavedChanges(true, { question: common('shownOnce') });
  return (
    <Alert color="indigo" title={title} role="status">
      <Stack gap="sm" align="flex-start">
        {children}
        <Button variant="default" onClick={onClose}>
          {common('actions.close')}
        </Button>
      </Stack>
    </Alert>
  );
}
