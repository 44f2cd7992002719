import { Button, Group, Modal, Stack, Text, TextInput } from '@mantine/core';
import type { Segment } from '@roster/client';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState, type ReactNode } from 'react';
import { describeFilter } from '#components/filter/model/describe-filter.ts';
import { useFilterWords } from '#components/filter/filter-words.ts';
import { toSearchFilter, type FilterModel } from '#components/filter/model/filter.ts';
import { ProblemAlert } from '#components/actions/problem-alert.tsx';
import { useTexts } from '#texts/use-texts.ts';
import type { Access } from './access.ts';

/** Saves a filter as a segment. */
export function SaveSegmentDialog({
  access,
  filter,
  isOpen,
  onClose,
  onSaved,
}: {
  readonly access: Access;
  readonly filter: FilterModel;
  readonly isOpen: boolean;
  readonly onClose: () => void;
  readonly onSaved: (segment: Segment) => void;
}): ReactNode {
  const t = useTexts('filter');
  const common = useTexts('common');
  return (
    <Modal
      opened={isOpen}
      onClose={onClose}
      title={t('save.title')}
      closeButtonProps={{ 'aria-label': common('actions.close') }}
    >
      {isOpen && <SaveSegmentForm access={access} filter={filter} onSaved={onSaved} />}
    </Modal>
  );
}

function SaveSegmentForm({
  access: { accountId, account },
  filter,
  onSaved,
}: {
  readonly access: Access;
  readonly filter: FilterModel;
  readonly onSaved: (segment: Segment) => void;
}): ReactNode {
  const t = useTexts('filter');
  const words = useFilterWords();
  const queries = useQueryClient();
  const [name, setName] = useState('');
  const create = useMutation({
    mutationFn: () => account.segments.create({ name, filtering_criteria: [], ...toSearchFilter(filter) }),
    onSuccess: async (segment) => {
      await queries.invalidateQueries({ queryKey: ['accounts', accountId, 'segments'] });
      onSaved(segment);
    },
  });
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
        <Group justify="flex-end">
          <Button type="submit" loading={create.isPending} disabled={name.trim() === ''}>
            {t('save.save')}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
