import { Checkbox, Group, Select, Stack, TextInput } from '@mantine/core';
import type { ReactNode } from 'react';
import { useFilterSources } from '#components/filter/filter-sources.tsx';
import { TypedValueInput } from '#components/inputs/typed-value-input.tsx';
import { useTexts } from '#texts/use-texts.ts';
import type { BulkActionName } from './bulk-dialog.tsx';

/** What a person enters for an action. */
export interface BulkFieldsValue {
  readonly audienceId?: number;
  /** Name of a list to create. */
  readonly newList?: string;
  readonly attribute?: string;
  /** Null clears the value; undefined until one is entered. */
  readonly value?: string | number | boolean | null;
  readonly channels?: readonly Channel[];
}

type Channel = 'email' | 'sms' | 'whatsapp';

const channels = ['email', 'sms', 'whatsapp'] as const;

/** The fields that an action needs. */
export function BulkFields({
  action,
  value,
  onChange,
  canCreateList,
}: {
  readonly action: BulkActionName;
  readonly value: BulkFieldsValue;
  readonly onChange: (value: BulkFieldsValue) => void;
  readonly canCreateList: boolean;
}): ReactNode {
  const t = useTexts('filter');
  const { lists } = useFilterSources();
  switch (action) {
    case 'addToList':
    case 'removeFromList':
      return (
        <Stack gap="xs">
          <Select
            label={t('bulk.list')}
            data={lists.map(({ audience_id: id, name }) => ({ value: String(id), label: name }))}
            limit={100}
            searchable
            data-autofocus
            value={value.audienceId === undefined ? null : String(value.audienceId)}
            onChange={(id) => onChange(id === null ? {} : { audienceId: Number(id) })}
          />
          {action === 'addToList' && canCreateList && (
            <TextInput
              label={t('bulk.orNewList')}
              placeholder={t('bulk.newList')}
              maxLength={255}
              value={value.newList ?? ''}
              onChange={({ currentTarget: { value: name } }) => onChange(name.trim() === '' ? {} : { newList: name })}
            />
          )}
        </Stack>
      );
    case 'setAttribute':
      return <AttributeFields value={value} onChange={onChange} />;
    case 'optOut':
      return (
        <Checkbox.Group
          label={t('bulk.channels')}
          value={[...(value.channels ?? [])]}
          onChange={(chosen) => onChange({ channels: channels.filter((one) => chosen.includes(one)) })}
        >
          <Group mt="xs">
            {channels.map((channel) => (
              <Checkbox key={channel} value={channel} label={t(`bulk.channel.${channel}`)} />
            ))}
          </Group>
        </Checkbox.Group>
      );
    case 'delete':
    case 'erase':
      return null;
  }
}

function AttributeFields({
  value,
  onChange,
}: {
  readonly value: BulkFieldsValue;
  readonly onChange: (value: BulkFieldsValue) => void;
}): ReactNode {
  const t = useTexts('filter');
  const { fields } = useFilterSources();
  const attributes = [...fields.byName.values()].filter(
    ({ attribute, isMasked }) => attribute !== undefined && !isMasked,
  );
  const field = value.attribute === undefined ? undefined : fields.byName.get(value.attribute);
  return (
    <Stack gap="xs">
      <Select
        label={t('bulk.attribute')}
        data={attributes.map(({ name }) => name)}
        limit={100}
        searchable
        data-autofocus
        value={value.attribute ?? null}
        onChange={(attribute) => onChange(attribute === null ? {} : { attribute })}
      />
      {field !== undefined && (
        <>
          <TypedValueInput
            type={field.attribute!.data_type}
            label={t('bulk.newValue')}
            disabled={value.value === null}
            value={value.value ?? null}
            onChange={(next) => onChange({ ...value, value: next ?? undefined })}
          />
          <Checkbox
            label={t('bulk.clearValue')}
            checked={value.value === null}
            onChange={(event) => onChange({ ...value, value: event.currentTarget.checked ? null : undefined })}
          />
        </>
      )}
    </Stack>
  );
}
