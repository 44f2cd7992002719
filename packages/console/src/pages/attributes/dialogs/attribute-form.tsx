import { notifications } from '@mantine/notifications';
import { RosterError, type OperatorAttribute } from '@roster/client';
import { Alert, Button, Group, Select, SimpleGrid, Stack, Text, TextInput } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState, type ReactNode } from 'react';
import { problemOf } from '#api/problem.ts';
import { useDialog } from '#components/actions/dialog-frame.ts';
import { CancelButton, Dialog } from '#components/actions/dialog.tsx';
import { whenApplied, type Applied } from '#components/work/when-applied.ts';
import { MergeDialog } from '#components/merge/merge-dialog.tsx';
import { useMerge } from '#components/merge/use-merge.ts';
import { TypedValueInput } from '#components/inputs/typed-value-input.tsx';
import { useAccount } from '#shell/account/use-account.ts';
import { useTexts } from '#texts/use-texts.ts';
import {
  categories,
  changeOf,
  dataTypes,
  draftOf,
  faultsByField,
  maskings,
  nameProblem,
  newAttributeOf,
  newDraft,
  possibleTypes,
  typedName,
  withType,
  type AttributeDraft,
  type DataType,
  type DraftFaults,
  type Masking,
} from './attribute-draft.ts';
import { saveAttribute, useAttributeFields } from './attribute-merge.ts';
import { MappingField } from './mapping-field.tsx';
import { usePrimaryKey, useRefreshAttributes, useUsage } from '../registry/use-attributes.ts';

/** Creates an attribute, or changes one. What cannot be changed is shown with the reason. */
export function AttributeFormDialog({
  attribute,
  onClose,
  onCreated,
}: {
  /** Undefined for a new attribute. */
  readonly attribute: OperatorAttribute | undefined;
  readonly onClose: () => void;
  readonly onCreated?: ((name: string) => void) | undefined;
}): ReactNode {
  const t = useTexts('attributes');
  const title = attribute === undefined ? t('create.title') : t('edit.title', { name: attribute.name });
  return (
    <Dialog isOpen onClose={onClose} size="lg" title={title}>
      <AttributeForm attribute={attribute} onCreated={onCreated} />
    </Dialog>
  );
}

function AttributeForm({
  attribute,
  onCreated,
}: {
  readonly attribute: OperatorAttribute | undefined;
  readonly onCreated: ((name: string) => void) | undefined;
}): ReactNode {
  const t = useTexts('attributes');
  const common = useTexts('common');
  const { accountId, account, can } = useAccount();
  const queries = useQueryClient();
  const refresh = useRefreshAttributes();
  // The values of a masked attribute, and its default, are hidden from most people.
  const isHidden = attribute !== undefined && attribute.data_masking !== 'none' && !can('unmasked');
  const [initial] = useState(() => (attribute === undefined ? newDraft : draftOf(attribute, isHidden)));
  const [draft, setDraft] = useState(initial);
  const [faults, setFaults] = useState<DraftFaults>({ fields: {}, others: [] });
  const change = (next: Partial<AttributeDraft>): void => {
    setDraft({ ...draft, ...next });
    const fields = Object.fromEntries(Object.entries(faults.fields).filter(([field]) => !(field in next)));
    setFaults({ fields, others: [] });
  };

  const merge = useMerge();
  const fields = useAttributeFields();
  const submit = useMutation({
    async mutationFn(): Promise<Applied | undefined> {
      if (attribute === undefined) {
        return whenApplied(account, await account.asApiKey.attributes.create([newAttributeOf(draft)]));
      }
      const saved = await merge.save({
        stored: attribute,
        draft,
        draftOf: (stored) => draftOf(stored, isHidden),
        fields,
        save: (next, base) => saveAttribute(account, base, next),
      });
      return saved && { state: 'done', warnings: [] };
    },
    async onSuccess(applied) {
      if (applied === undefined) return;
      if (applied.state === 'refused') return setFaults(faultsByField(applied.failures));
      if (applied.state === 'waiting') {
        notifications.show({ withCloseButton: false, message: t('create.waiting', { name: draft.name }) });
      }
      await refresh();
      // Filters and tables of contacts use the names and types of attributes.
      await queries.invalidateQueries({ queryKey: ['accounts', accountId, 'contacts'] });
      dialog.closeDone(() => {
        if (attribute === undefined && applied.state === 'done') onCreated?.(draft.name);
      });
    },
    onError(error) {
      if (error instanceof RosterError) setFaults(faultsByField(error.faults));
    },
  });
  const dialog = useDialog({
    isRunning: submit.isPending,
    hasEntries: JSON.stringify(draft) !== JSON.stringify(initial),
  });
  const problem = submit.error === null ? undefined : problemOf(submit.error);
  const others = problem !== undefined && problem.faults.length === 0 ? [problem.message] : faults.others;
  const wrongName = nameProblem(draft.name);
  const hasTyped = draft.name !== '' && draft.name !== attribute?.name;
  const isUnchanged = attribute !== undefined && changeOf(attribute, draft) === undefined;

  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        if (wrongName === undefined && !isUnchanged) submit.mutate();
      }}
    >
      <Stack>
        <NameField
          attribute={attribute}
          isHidden={isHidden}
          name={draft.name}
          error={faults.fields.name ?? (wrongName !== undefined && hasTyped ? t(`name.${wrongName}`) : undefined)}
          onChange={(name) => change({ name })}
        />
        <SimpleGrid cols={{ base: 1, xs: 2 }} style={{ alignItems: 'end' }}>
          <TypeField
            attribute={attribute}
            type={draft.type}
            error={faults.fields.type}
            onChange={(type) => change(withType(draft, type))}
          />
          <Select
            label={t('category.label')}
            description={t('category.text')}
            data={categories.map((value) => ({ value, label: t(`category.${value}`) }))}
            allowDeselect={false}
            value={draft.category}
            error={faults.fields.category}
            onChange={(value) => change({ category: value ?? draft.category })}
          />
        </SimpleGrid>
        <DefaultField
          attribute={attribute}
          draft={draft}
          error={faults.fields.value}
          onChange={(value) => change({ value })}
        />
        <MaskingField
          before={isHidden ? attribute.data_masking : 'none'}
          masking={draft.masking}
          error={faults.fields.masking}
          onChange={(masking) => change({ masking })}
        />
        <MappingField
          attribute={attribute}
          type={draft.type}
          mapping={draft.mapping}
          error={faults.fields.mapping}
          onChange={(mapping) => change({ mapping })}
        />
        {others.length > 0 && (
          <Alert color="red" role="alert" title={problem && common(`errors.${problem.kind}.title`)}>
            {others.map((text) => (
              <Text key={text} size="sm">
                {text ?? common(`errors.${problem?.kind ?? 'invalid'}.text`)}
              </Text>
            ))}
          </Alert>
        )}
        <Group justify="flex-end" gap="xs">
          <CancelButton />
          <Button type="submit" loading={submit.isPending} disabled={wrongName !== undefined || isUnchanged}>
            {t(attribute === undefined ? 'create.action' : 'edit.save')}
          </Button>
        </Group>
      </Stack>
      <MergeDialog conflict={merge.conflict} />
    </form>
  );
}

function NameField({
  attribute,
  isHidden,
  name,
  error,
  onChange,
}: {
  readonly attribute: OperatorAttribute | undefined;
  readonly isHidden: boolean;
  readonly name: string;
  readonly error: string | undefined;
  readonly onChange: (name: string) => void;
}): ReactNode {
  const t = useTexts('attributes');
  const reason = attribute?.system === true ? t('name.standard') : isHidden ? t('name.masked') : undefined;
  return (
    <TextInput
      label={t('columns.name')}
      description={reason ?? t(attribute === undefined ? 'name.text' : 'name.renameText')}
      required
      withAsterisk={false}
      autoComplete="off"
      spellCheck={false}
      maxLength={64}
      data-autofocus={reason === undefined || undefined}
      disabled={reason !== undefined}
      value={name}
      error={error}
      onChange={(event) => onChange(typedName(event.currentTarget.value))}
    />
  );
}

function TypeField({
  attribute,
  type,
  error,
  onChange,
}: {
  readonly attribute: OperatorAttribute | undefined;
  readonly type: DataType;
  readonly error: string | undefined;
  readonly onChange: (type: DataType) => void;
}): ReactNode {
  const t = useTexts('attributes');
  return attribute === undefined ? (
    <TypeSelect possible={dataTypes} text={t(`typeTexts.${type}`)} {...{ type, error, onChange }} />
  ) : (
    <ChangedTypeField attribute={attribute} {...{ type, error, onChange }} />
  );
}

function ChangedTypeField({
  attribute,
  ...field
}: {
  readonly attribute: OperatorAttribute;
  readonly type: DataType;
  readonly error: string | undefined;
  readonly onChange: (type: DataType) => void;
}): ReactNode {
  const t = useTexts('attributes');
  const isUsed = useUsage(attribute.id).data?.in_use === true;
  const possible = possibleTypes(attribute, isUsed);
  const text =
    field.type !== attribute.data_type
      ? t('type.changes')
      : possible.length === dataTypes.length
        ? t(`typeTexts.${field.type}`)
        : t(attribute.filled > 0 ? 'type.hasValues' : 'type.isUsed');
  return <TypeSelect possible={possible} text={text} {...field} />;
}

function TypeSelect({
  possible,
  text,
  type,
  error,
  onChange,
}: {
  readonly possible: readonly DataType[];
  readonly text: string;
  readonly type: DataType;
  readonly error: string | undefined;
  readonly onChange: (type: DataType) => void;
}): ReactNode {
  const t = useTexts('attributes');
  return (
    <Select
      label={t('columns.type')}
      description={text}
      data={dataTypes.map((value) => ({ value, label: t(`types.${value}`), disabled: !possible.includes(value) }))}
      allowDeselect={false}
      disabled={possible.length === 1}
      value={type}
      error={error}
      onChange={(value) => onChange(value ?? type)}
    />
  );
}

function DefaultField({
  attribute,
  draft: { type, value },
  error,
  onChange,
}: {
  readonly attribute: OperatorAttribute | undefined;
  readonly draft: AttributeDraft;
  readonly error: string | undefined;
  readonly onChange: (value: AttributeDraft['value']) => void;
}): ReactNode {
  const t = useTexts('attributes');
  const primaryKey = usePrimaryKey();
  const isKey = attribute !== undefined && attribute.name === primaryKey;
  return (
    <TypedValueInput
      type={type}
      label={t('columns.default')}
      description={isKey ? t('default.key') : value === undefined ? t('default.masked') : t('default.text')}
      placeholder={value === undefined ? '****' : undefined}
      disabled={isKey}
      value={value ?? null}
      error={error}
      onChange={onChange}
    />
  );
}

function MaskingField({
  before,
  masking,
  error,
  onChange,
}: {
  /** A weaker mask is not possible for this person. */
  readonly before: Masking;
  readonly masking: Masking;
  readonly error: string | undefined;
  readonly onChange: (masking: Masking) => void;
}): ReactNode {
  const t = useTexts('attributes');
  return (
    <Select
      label={t('columns.masking')}
      description={before === 'none' ? t(`maskTexts.${masking}`) : t('masking.onlyStronger')}
      data={maskings.map((value) => ({
        value,
        label: t(`masks.${value}`),
        disabled: maskings.indexOf(value) < maskings.indexOf(before),
      }))}
      allowDeselect={false}
      disabled={before === 'full'}
      value={masking}
      error={error}
      onChange={(value) => onChange(value ?? masking)}
    />
  );
}
