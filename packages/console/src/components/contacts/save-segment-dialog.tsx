import { Button, Group, Stack, Text, TextInput } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState, type ReactNode } from 'react';
import { describeFilter } from '#components/filter/model/describe-filter.ts';
import { useFilterWords } from '#components/filter/filter-words.ts';
import { toSearchFilter, type FilterModel } from '#components/filter/model/filter.ts';
import { useDialog } from '#components/actions/dialog-frame.ts';
import { CancelButton, Dialog } from '#components/actions/dialog.tsx';
import { useOpenMade } from '#components/actions/link-message.tsx';
import { ProblemAlert } from '#components/actions/problem-alert.tsx';
import { useTexts } from '#texts/use-texts.ts';
import type { Access } from './access.ts';

/** Saves a filter as a segment, and opens the segment. */
export function SaveSegmentDialog({
  access,
  filter,
  isOpen,
  onClose,
}: {
  readonly access: Access;
  readonly filter: FilterModel;
  readonly isOpen: boolean;
  readonly onClose: () => void;
}): ReactNode {
  const t = useTexts('filter');
  // Here, because the form is gone when the dialog has closed.
  const openMade = useOpenMade();
  return (
    <Dialog isOpen={isOpen} onClose={onClose} title={t('save.title')}>
      {isOpen && <SaveSegmentForm access={access} filter={filter} openMade={openMade} />}
    </Dialog>
  );
}

function SaveSegmentForm({
  access: { accountId, account },
  filter,
  openMade,
}: {
  readonly access: Access;
  readonly filter: FilterModel;
  readonly openMade: ReturnType<typeof useOpenMade>;
}): ReactNode {
  const t = useTexts('filter');
  const words = useFilterWords();
  const queries = useQueryClient();
  const [name, setName] = useState('');
  const create = useMutation({
    mutationFn: () => account.segments.create({ name, filtering_criteria: [], ...toSearchFilter(filter) }),
    onSuccess: async ({ audience_id: id, name: saved }) => {
      await queries.invalidateQueries({ queryKey: ['accounts', accountId, 'segments'] });
      dialog.closeDone();
      await openMade({
        id: `made-segment-${id}`,
        title: t('save.saved'),
        text: saved,
        label: t('save.show'),
        to: `/accounts/${accountId}/audiences/segments/${id}`,
      });
    },
  });
  const dialog = useDialog({ isRunning: create.isPending, hasEntries: name !== '' });
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        if (name.trim() !== '') create.mutate();
      }}
    >
      <Stack>
        <Text size="sm" c="dimmed">
          {t('save.text')}
        </Text>
        <Text size="sm" lineClamp={4}>
          {describeFilter(filter, words)}
        </Text>
        <TextInput
          label={t('save.name')}
          required
          maxLength={255}
          data-autofocus
          value={name}
          onChange={(event) => setName(event.currentTarget.value)}
        />
        <ProblemAlert error={create.error} />
        <Group justify="flex-end" gap="xs">
          <CancelButton />
          <Button type="submit" loading={create.isPending} disabled={name.trim() === ''}>
            {t('save.save')}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
