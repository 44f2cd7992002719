import { Button, Group, Modal, Paper, SimpleGrid, Stack, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { useTexts } from '#texts/use-texts.ts';
import type { ContactChange } from './use-contact.ts';

/** Shows the two values of a field that two people changed, and lets the person choose. */
export function MergeDialog({ change, conflict, closeConflict }: ContactChange): ReactNode {
  const t = useTexts('contact');
  const common = useTexts('common');
  return (
    <Modal
      opened={conflict !== undefined}
      onClose={closeConflict}
      title={t('merge.title')}
      size="lg"
      closeButtonProps={{ 'aria-label': common('actions.close') }}
    >
      {conflict !== undefined && (
        <Stack>
          <Text size="sm">{t('merge.text', { field: conflict.change.field })}</Text>
          <SimpleGrid cols={{ base: 1, xs: 2 }}>
            <Value label={t('merge.theirs')} value={conflict.theirs} />
            <Value label={t('merge.yours')} value={conflict.change.yours} />
          </SimpleGrid>
          <Group justify="flex-end" gap="xs">
            <Button variant="default" onClick={closeConflict} data-autofocus>
              {t('merge.keepTheirs')}
            </Button>
            <Button
              onClick={() => {
                closeConflict();
                change.mutate(conflict.change);
              }}
            >
              {t('merge.useYours')}
            </Button>
          </Group>
        </Stack>
      )}
    </Modal>
  );
}

function Value({ label, value }: { readonly label: string; readonly value: string }): ReactNode {
  return (
    <Paper withBorder p="sm">
      <Text size="xs" c="dimmed" mb={4}>
        {label}
      </Text>
      <Text size="sm" dir="auto" lineClamp={8} style={{ overflowWrap: 'anywhere', whiteSpace: 'pre-wrap' }}>
        {value === '' ? '–' : value}
      </Text>
    </Paper>
  );
}
