import { Button, Card, Checkbox, Group, MultiSelect, Radio, Stack, TextInput, Title } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useRef, useState, type ReactNode } from 'react';
import { useProblemText } from '#components/actions/problem-alert.tsx';
import { useAccount } from '#shell/account/use-account.ts';
import { useTexts } from '#texts/use-texts.ts';
import type { ImportOptions } from '../mapping/column-choice.ts';

const modes = ['upsert', 'create', 'update'] as const;
const channels = ['email', 'sms', 'whatsapp'] as const;

/** What the rows do: lists, mode, empty cells, opt-outs of everybody. */
export function OptionsCard({
  options,
  onChange,
}: {
  readonly options: ImportOptions;
  readonly onChange: (change: Partial<ImportOptions>) => void;
}): ReactNode {
  const t = useTexts('imports');
  return (
    <Card withBorder>
      <Stack>
        <Title order={2} size="h5">
          {t('options.title')}
        </Title>
        <ListsField options={options} onChange={onChange} />
        <Radio.Group label={t('options.mode')} value={options.mode} onChange={(mode) => onChange({ mode: mode })}>
          <Stack gap="xs" mt={6}>
            {modes.map((mode) => (
              <Radio key={mode} value={mode} label={t(`modes.${mode}`)} description={t(`modeTexts.${mode}`)} />
            ))}
          </Stack>
        </Radio.Group>
        <Checkbox
          label={t('options.clear')}
          description={t('options.clearText')}
          checked={options.blankCells === 'clear'}
          onChange={({ currentTarget: { checked } }) => onChange({ blankCells: checked ? 'clear' : 'leave' })}
        />
        <Checkbox.Group
          label={t('options.optOut')}
          description={t('options.optOutText')}
          value={[...options.optOut]}
          onChange={(optOut) => onChange({ optOut: optOut })}
        >
          <Group mt={6}>
            {channels.map((channel) => (
              <Checkbox key={channel} value={channel} label={t(`channels.${channel}`)} />
            ))}
          </Group>
        </Checkbox.Group>
      </Stack>
    </Card>
  );
}

function ListsField({
  options,
  onChange,
}: {
  readonly options: ImportOptions;
  readonly onChange: (change: Partial<ImportOptions>) => void;
}): ReactNode {
  const t = useTexts('imports');
  const { accountId, account, can } = useAccount();
  const cache = useQueryClient();
  const queryKey = ['accounts', accountId, 'lists', 'all'];
  const [name, setName] = useState('');
  const problemText = useProblemText();
  const nameField = useRef<HTMLInputElement>(null);
  const lists = useQuery({
    queryKey,
    queryFn: async ({ signal }) => account.lists.list({ signal, limit: 500 }).all(),
  });
  const create = useMutation({
    mutationFn: () => account.lists.create({ name: name.trim() }),
    async onSuccess({ audience_id: id }) {
      setName('');
      await cache.invalidateQueries({ queryKey: ['accounts', accountId, 'lists'] });
      onChange({ audienceIds: [...options.audienceIds, id] });
      // The button is disabled now, and would lose the focus.
      nameField.current?.focus();
    },
  });
  return (
    <Group align="flex-end" gap="xs">
      <MultiSelect
        flex={1}
        miw={240}
        label={t('options.lists')}
        description={t('options.listsText')}
        searchable
        clearable
        limit={100}
        placeholder={options.audienceIds.length === 0 ? t('options.noLists') : undefined}
        data={(lists.data ?? []).map(({ audience_id: id, name: label }) => ({ value: String(id), label }))}
        value={options.audienceIds.map(String)}
        onChange={(ids) => onChange({ audienceIds: ids.map(Number) })}
        nothingFoundMessage={t('options.noListFound')}
      />
      {can('lists:write') && (
        <>
          <TextInput
            ref={nameField}
            label={t('options.newList')}
            value={name}
            onChange={({ currentTarget: { value } }) => setName(value)}
            onKeyDown={(event) => {
              if (event.key === 'Enter' && name.trim() !== '' && !create.isPending) create.mutate();
            }}
            error={create.error === null ? undefined : problemText(create.error)}
          />
          <Button
            size="sm"
            variant="default"
            disabled={name.trim() === ''}
            loading={create.isPending}
            onClick={() => create.mutate()}
          >
            {t('options.createList')}
          </Button>
        </>
      )}
    </Group>
  );
}
