import { Button, Group, Modal, Paper, Radio, SimpleGrid, Stack, Text } from '@mantine/core';
import { useState, type ReactNode } from 'react';
import { useTexts } from '#texts/use-texts.ts';
import { withField } from './three-way-merge.ts';
import type { Merge, OpenConflict } from './use-merge.ts';

/** Shows both values of the fields that two people have changed, and lets the person choose. */
export function MergeDialog({ conflict }: Pick<Merge, 'conflict'>): ReactNode {
  const t = useTexts('merge');
  const common = useTexts('common');
  return (
    <Modal
      opened={conflict !== undefined}
      onClose={() => conflict?.choose(undefined)}
      title={t('title')}
      size="lg"
      closeButtonProps={{ 'aria-label': common('actions.close') }}
    >
      {conflict?.fields.length === 1 && <OneField conflict={conflict} />}
      {conflict !== undefined && conflict.fields.length > 1 && <ManyFields conflict={conflict} />}
    </Modal>
  );
}

function OneField({ conflict: { fields, theirs, yours, choose } }: { readonly conflict: OpenConflict }): ReactNode {
  const t = useTexts('merge');
  const field = fields[0]!;
  const both = field.combine?.(theirs, yours);
  return (
    <Stack>
      <Text size="sm">{t('text', { field: field.label })}</Text>
      <SimpleGrid cols={{ base: 1, xs: 2 }}>
        <Paper withBorder p="sm">
          <Value label={t('theirs')} value={field.show(theirs)} />
        </Paper>
        <Paper withBorder p="sm">
          <Value label={t('yours')} value={field.show(yours)} />
        </Paper>
      </SimpleGrid>
      <Group justify="flex-end" gap="xs">
        <Button variant="default" onClick={() => choose(withField(yours, field, theirs))} data-autofocus>
          {t('keepTheirs')}
        </Button>
        {both !== undefined && (
          <Button variant="default" onClick={() => choose(both)}>
            {t('useBoth')}
          </Button>
        )}
        <Button onClick={() => choose(yours)}>{t('useYours')}</Button>
      </Group>
    </Stack>
  );
}

function ManyFields({ conflict: { fields, theirs, yours, choose } }: { readonly conflict: OpenConflict }): ReactNode {
  const t = useTexts('merge');
  const common = useTexts('common');
  const [chosen, setChosen] = useState<Readonly<Record<string, string>>>({});
  const isReady = fields.every(({ id }) => chosen[id] !== undefined);

  function save(): void {
    let draft = yours;
    for (const field of fields) if (chosen[field.id] === 'theirs') draft = withField(draft, field, theirs);
    choose(draft);
  }

  return (
    // No form: the dialog is opened from forms, which would get its submit, too.
    <Stack>
      <Text size="sm">{t('textMany')}</Text>
      {fields.map((field) => (
        <Radio.Group
          key={field.id}
          label={field.label}
          value={chosen[field.id] ?? ''}
          onChange={(value) => setChosen({ ...chosen, [field.id]: value })}
        >
          <SimpleGrid cols={{ base: 1, xs: 2 }} mt={4}>
            {(['theirs', 'yours'] as const).map((side) => (
              <Radio.Card key={side} value={side} p="sm" aria-label={`${field.label}: ${t(side)}`}>
                <Group wrap="nowrap" align="flex-start" gap="sm">
                  <Radio.Indicator size="xs" mt={2} />
                  <Value label={t(side)} value={field.show(side === 'theirs' ? theirs : yours)} />
                </Group>
              </Radio.Card>
            ))}
          </SimpleGrid>
        </Radio.Group>
      ))}
      <Group justify="flex-end" gap="xs">
        <Button variant="default" onClick={() => choose(undefined)}>
          {common('actions.cancel')}
        </Button>
        <Button disabled={!isReady} onClick={save}>
          {t('save')}
        </Button>
      </Group>
    </Stack>
  );
}

function Value({ label, value }: { readonly label: string; readonly value: string }): ReactNode {
  return (
    <div>
      <Text size="xs" c="dimmed" mb={4}>
        {label}
      </Text>
      <Text size="sm" dir="auto" lineClamp={8} style={{ overflowWrap: 'anywhere', whiteSpace: 'pre-wrap' }}>
        {value === '' ? '–' : value}
      </Text>
    </div>
  );
}
