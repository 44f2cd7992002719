import { Alert, Button, Group } from '@mantine/core';
import type { UseMutationResult } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { ProblemAlert } from './problem-alert.tsx';
import { useTexts } from '#texts/use-texts.ts';

/** The end of a form: what became of the change, and the button `label` that saves it. */
export function SaveChange({
  change,
  label,
  isReadOnly,
}: {
  readonly change: Pick<UseMutationResult<unknown, Error, void>, 'data' | 'error' | 'isPending' | 'isSuccess'>;
  readonly label: string;
  readonly isReadOnly: boolean;
}): ReactNode {
  const common = useTexts('common');
  return (
    <>
      <ProblemAlert error={change.error} />
      {change.isSuccess && change.data !== undefined && (
        <Alert color="green" role="status">
          {common('errors.saved')}
        </Alert>
      )}
      {!isReadOnly && (
        <Group justify="flex-end">
          <Button type="submit" loading={change.isPending}>
            {label}
          </Button>
        </Group>
      )}
    </>
  );
}
