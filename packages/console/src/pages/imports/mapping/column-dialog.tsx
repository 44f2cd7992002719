import { Button, Code, Group, Select, Stack, Text, TextInput } from '@mantine/core';
import { isAttributeName } from '@roster/contract/text/attribute-names.ts';
import { useState, type ReactNode } from 'react';
import { useDialog } from '#components/actions/dialog-frame.ts';
import { CancelButton, Dialog } from '#components/actions/dialog.tsx';
import { TimeZoneSelect } from '#components/values/time-zone-select.tsx';
import { useTexts } from '#texts/use-texts.ts';
import {
  contactFields,
  fieldOf,
  kindOf,
  validNameOf,
  type ColumnChoice,
  type FieldChoice,
  type NewColumn,
  type PreviewColumn,
} from './column-choice.ts';
import { fieldLabel } from './choice-label.ts';
import type { KnownAttribute } from './suggest.ts';

const dataTypes = ['text', 'long_text', 'number', 'boolean', 'date', 'datetime'] as const;
/** The option of the data type that stands for {@link NewColumn}. */
const automaticType = 'automatic';
const numberFormats = ['plain', 'comma', 'point'] as const;
const dateFormats = ['ymd', 'dmy', 'mdy', 'unix'] as const;

interface ColumnFormProps {
  readonly column: PreviewColumn;
  readonly choice: ColumnChoice;
  readonly attributes: readonly KnownAttribute[];
  readonly onChoose: (choice: ColumnChoice) => void;
}

/** Lets a person choose what a column means. */
export function ColumnDialog({
  onClose,
  ...props
}: ColumnFormProps & {
  readonly onClose: () => void;
}): ReactNode {
  const t = useTexts('imports');
  return (
    <Dialog isOpen onClose={onClose} title={t('mapping.dialogTitle', { header: props.column.header })}>
      <ColumnForm {...props} />
    </Dialog>
  );
}

function ColumnForm({ column, choice, attributes, onChoose }: ColumnFormProps): ReactNode {
  const t = useTexts('imports');
  const [draft, setDraft] = useState<ColumnChoice>(choice);
  const dialog = useDialog({ hasEntries: draft !== choice });
  const types = new Map(attributes.map(({ name, dataType }) => [name, dataType]));
  const field = fieldOf(draft);
  const isNew = kindOf(draft) === 'new' || (field?.data_type !== undefined && !types.has(field.field));
  const target = isNew ? 'new:' : field === undefined ? `${kindOf(draft)}:` : `field:${field.field}`;
  const newName = kindOf(draft) === 'new' ? (draft as { readonly automatic: string }).automatic : (field?.field ?? '');
  const newType = field?.data_type ?? automaticType;
  // The service finds the data type only for an attribute that is named like the column.
  const found = kindOf(column.suggestion) === 'new' ? (column.suggestion as NewColumn) : undefined;
  const suggested = fieldOf(column.suggestion);
  const suggestedNew =
    found ?? (suggested?.data_type !== undefined && !types.has(suggested.field) ? column.suggestion : undefined);
  const hasFoundType = found !== undefined && found.automatic === newName;
  const dataType = field?.data_type ?? types.get(field?.field ?? '');
  const isDate = field?.field === 'CREATED_AT' || dataType === 'date' || dataType === 'datetime';
  const fault = isNew && !isAttributeName(newName) ? t('mapping.invalidName') : undefined;

  function choose(value: string | null): void {
    const [kind, name = ''] = (value ?? 'skip:').split(':');
    if (kind === 'skip') setDraft(null);
    else if (kind === 'lists') setDraft({ list_names: true, separator: ',' });
    else if (kind === 'json') setDraft({ json: true });
    else if (kind === 'new')
      setDraft(suggestedNew ?? { field: validNameOf(column.header), data_type: column.looksLike });
    else setDraft(name);
  }

  function change(part: Partial<FieldChoice>): void {
    // A column whose data type the service finds has only a name.
    const next = { field: newName, ...field, ...part };
    setDraft(Object.fromEntries(Object.entries(next).filter(([, value]) => value !== undefined)) as ColumnChoice);
  }

  return (
    <Stack>
      {column.samples.length > 0 && (
        <Text size="sm" c="dimmed" component="div">
          {t('mapping.examples')}{' '}
          {column.samples.map((sample) => (
            <Code key={sample} mr={6} dir="auto">
              {sample}
            </Code>
          ))}
        </Text>
      )}
      <Select
        label={t('mapping.writtenTo')}
        data-autofocus
        openOnFocus={false}
        searchable
        allowDeselect={false}
        value={target}
        onChange={choose}
        limit={100}
        data={[
          {
            group: t('mapping.groups.other'),
            items: [
              { value: 'skip:', label: t('mapping.skip') },
              { value: 'new:', label: t('mapping.new') },
              { value: 'lists:', label: t('mapping.lists') },
              { value: 'json:', label: t('mapping.json') },
            ],
          },
          {
            group: t('mapping.groups.fields'),
            items: contactFields.map((name) => ({ value: `field:${name}`, label: fieldLabel(name, t) })),
          },
          {
            group: t('mapping.groups.attributes'),
            items: attributes.map(({ name }) => ({ value: `field:${name}`, label: name })),
          },
        ]}
      />
      {isNew && (
        <>
          <TextInput
            label={t('mapping.name')}
            value={newName}
            error={fault}
            onChange={({ currentTarget: { value } }) =>
              setDraft({ field: value.toUpperCase(), data_type: field?.data_type ?? column.looksLike })
            }
          />
          <Select
            label={t('mapping.dataType')}
            allowDeselect={false}
            value={newType}
            data={[
              ...(hasFoundType ? [{ value: automaticType, label: t('mapping.foundType') }] : []),
              ...dataTypes.map((type) => ({ value: type, label: t(`types.${type}`) })),
            ]}
            onChange={(type) =>
              type === automaticType
                ? setDraft(found!)
                : change({
                    data_type: type as FieldChoice['data_type'],
                    date_format: undefined,
                    time_zone: undefined,
                    number_format: undefined,
                  })
            }
          />
        </>
      )}
      {dataType === 'number' && (
        <Select
          label={t('mapping.numberFormat')}
          value={field?.number_format ?? 'plain'}
          allowDeselect={false}
          data={numberFormats.map((format) => ({ value: format, label: t(`numberFormats.${format}`) }))}
          onChange={(format) =>
            change({ number_format: format === 'plain' ? undefined : (format as FieldChoice['number_format']) })
          }
        />
      )}
      {isDate && (
        <>
          <Select
            label={t('mapping.dateFormat')}
            value={field?.date_format ?? 'ymd'}
            allowDeselect={false}
            data={dateFormats.map((format) => ({ value: format, label: t(`dateFormats.${format}`) }))}
            onChange={(format) => change({ date_format: format as FieldChoice['date_format'] })}
          />
          <TimeZoneSelect
            label={t('mapping.timeZone')}
            description={t('mapping.timeZoneText')}
            value={field?.time_zone ?? 'UTC'}
            onChange={(zone) => change({ time_zone: zone === 'UTC' ? undefined : zone })}
          />
        </>
      )}
      {field?.field.endsWith('_OPTED_OUT') === true && <OptOutWords column={column} field={field} onChange={change} />}
      {draft !== null && typeof draft === 'object' && 'list_names' in draft && (
        <TextInput
          label={t('mapping.separator')}
          description={t('mapping.listsText')}
          value={draft.separator ?? ','}
          maxLength={5}
          onChange={({ currentTarget: { value } }) =>
            setDraft({ list_names: true, ...(value === '' ? {} : { separator: value }) })
          }
        />
      )}
      {kindOf(draft) === 'json' && (
        <Text size="sm" c="dimmed">
          {t('mapping.jsonText')}
        </Text>
      )}
      <Group justify="flex-end" gap="xs">
        <CancelButton />
        <Button
          disabled={fault !== undefined}
          onClick={() => {
            onChoose(draft);
            dialog.closeDone();
          }}
        >
          {t('mapping.use')}
        </Button>
      </Group>
    </Stack>
  );
}

/** Lets a person say what each word of an opt-out column does. */
function OptOutWords({
  column,
  field,
  onChange,
}: {
  readonly column: PreviewColumn;
  readonly field: FieldChoice;
  readonly onChange: (part: Partial<FieldChoice>) => void;
}): ReactNode {
  const t = useTexts('imports');
  const words = [...new Set([...Object.keys(field.values ?? {}), ...column.samples.map((word) => word.toLowerCase())])];
  return (
    <Stack gap="xs">
      <Text size="sm">{t('mapping.optOutText')}</Text>
      {words.slice(0, 12).map((word) => (
        <Select
          key={word}
          label={word}
          value={field.values?.[word] ?? 'usual'}
          allowDeselect={false}
          data={(['usual', 'opt_out', 'nothing'] as const).map((value) => ({ value, label: t(`optOut.${value}`) }))}
          onChange={(value) => {
            const { [word]: _, ...others } = field.values ?? {};
            const values = value === 'usual' ? others : { ...others, [word]: value as 'opt_out' | 'nothing' };
            onChange({ values: Object.keys(values).length === 0 ? undefined : values });
          }}
        />
      ))}
      <Select
        label={t('mapping.otherWords')}
        value={field.other_values ?? 'fail'}
        allowDeselect={false}
        data={(['fail', 'opt_out', 'nothing'] as const).map((value) => ({ value, label: t(`optOut.${value}`) }))}
        onChange={(value) =>
          onChange({ other_values: value === 'fail' ? undefined : (value as FieldChoice['other_values']) })
        }
      />
    </Stack>
  );
}
