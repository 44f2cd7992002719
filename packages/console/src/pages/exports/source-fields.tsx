import { MultiSelect, SegmentedControl, Select, Stack, Switch, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { CreateExportBody } from '@roster/client';
import { useId, type ReactNode } from 'react';
import { useIsNarrow } from '#components/layout/use-is-narrow.ts';
import { FilterText } from '#components/contacts/filter-text.tsx';
import { useAccount } from '#shell/account/use-account.ts';
import { useTexts } from '#texts/use-texts.ts';
import type { NewExportSearch } from './search.ts';
import { useAudiences } from './use-names.ts';

/** The contacts and columns of an export, while a person fills in a form. */
export interface ExportContent {
  readonly source: 'list' | 'segment' | 'filter' | 'all';
  readonly audienceId: number | null;
  /** Set if the page was opened with a filter. */
  readonly filter: CreateExportBody['filter'];
  readonly attributes: readonly string[];
  readonly blocklist: 'none' | 'email' | 'mobile';
  readonly unmasked: boolean;
}

/** Fields of contacts that a file can have besides attributes. */
const fixedColumns = [
  'EMAIL',
  'MOBILE',
  'CONTACT_ID',
  'IDENTITY',
  'CONTACT_TYPE',
  'CREATED_AT',
  'UPDATED_AT',
  'EMAIL_OPTED_OUT',
  'SMS_OPTED_OUT',
];
/** Maximum number of attributes of an account. */
const maxAttributes = 500;

/** Returns the form for what an address or a stored schedule selects. */
export function contentOf(selection: NewExportSearch): ExportContent {
  const { filter, attributes = [] } = selection;
  const isAll = filter !== undefined && (filter.filtering_criteria ?? []).length === 0;
  return {
    source: filter === undefined ? (selection.audience_type ?? 'list') : isAll ? 'all' : 'filter',
    audienceId: selection.audience_id ?? null,
    filter: isAll ? undefined : filter,
    attributes,
    blocklist: selection.blocklist_type ?? 'none',
    unmasked: false,
  };
}

/** Returns the body of a request; undefined while no audience is chosen. */
export function bodyOf(content: ExportContent) {
  const { source, audienceId, filter, attributes, blocklist, unmasked } = content;
  if ((source === 'list' || source === 'segment') && audienceId === null) return undefined;
  return {
    ...(source === 'all'
      ? { filter: {} }
      : source === 'filter'
        ? { filter: filter ?? {} }
        : { audience_type: source, audience_id: audienceId! }),
    ...(attributes.length === 0 ? {} : { attributes: [...attributes] }),
    ...(blocklist === 'none' ? {} : { blocklist_type: blocklist }),
    ...(unmasked ? { unmasked } : {}),
  };
}

/** The fields for the contacts of an export. */
export function SourceFields({
  value,
  onChange,
}: {
  readonly value: ExportContent;
  readonly onChange: (value: ExportContent) => void;
}): ReactNode {
  const t = useTexts('exports');
  const label = useId();
  const isNarrow = useIsNarrow();
  const access = useAccount();
  const audiences = useAudiences();
  const { source } = value;
  const kinds = ['list', 'segment', ...(value.filter === undefined ? [] : ['filter']), 'all'] as const as readonly (
    | 'list'
    | 'segment'
    | 'filter'
    | 'all'
  )[];
  return (
    <Stack gap="sm">
      <Text size="sm" fw={500} id={label}>
        {t('form.contacts')}
      </Text>
      <SegmentedControl
        aria-labelledby={label}
        fullWidth
        orientation={isNarrow ? 'vertical' : 'horizontal'}
        value={source}
        data={kinds.map((kind) => ({ value: kind, label: t(`form.source.${kind}`) }))}
        onChange={(next) => onChange({ ...value, source: next, audienceId: null })}
      />
      {source === 'filter' && value.filter !== undefined && <FilterText access={access} filter={value.filter} />}
      {(source === 'list' || source === 'segment') && (
        <Select
          label={t(`form.${source}`)}
          placeholder={t('form.choose')}
          nothingFoundMessage={t('form.noneFound')}
          searchable
          required
          limit={100}
          value={value.audienceId === null ? null : String(value.audienceId)}
          data={audiences
            .filter(({ type }) => type === source)
            .map(({ id, name }) => ({ value: String(id), label: `${name} (${id})` }))}
          onChange={(id) => onChange({ ...value, audienceId: id === null ? null : Number(id) })}
        />
      )}
    </Stack>
  );
}

/** The fields for the content of the file. */
export function ContentFields({
  value,
  onChange,
}: {
  readonly value: ExportContent;
  readonly onChange: (value: ExportContent) => void;
}): ReactNode {
  const t = useTexts('exports');
  const { accountId, account, can } = useAccount();
  const { data: names = [] } = useQuery({
    queryKey: ['accounts', accountId, 'attributes', 'exported'],
    queryFn: async ({ signal }) =>
      (await account.attributes.list({ signal, limit: maxAttributes }).take(maxAttributes))
        .filter((attribute) => attribute.data_type !== 'long_text')
        .map((attribute) => attribute.name),
    enabled: can('attributes:read'),
    staleTime: 60_000,
  });
  const choices = [...new Set([...fixedColumns, ...names, ...value.attributes])];
  return (
    <Stack gap="sm">
      <MultiSelect
        label={t('form.attributes')}
        description={t('form.attributesHint')}
        placeholder={value.attributes.length === 0 ? t('form.choose') : ''}
        nothingFoundMessage={t('form.noneFound')}
        searchable
        clearable
        hidePickedOptions
        maxValues={100}
        limit={200}
        value={[...value.attributes]}
        data={choices}
        onChange={(attributes) => onChange({ ...value, attributes })}
      />
      <Select
        label={t('form.blocklist')}
        allowDeselect={false}
        value={value.blocklist}
        data={[
          { value: 'none', label: t('form.blocklistNone') },
          { value: 'email', label: t('form.blocklistEmail') },
          { value: 'mobile', label: t('form.blocklistMobile') },
        ]}
        onChange={(blocklist) => onChange({ ...value, blocklist: blocklist ?? 'none' })}
      />
      {can('unmasked') && (
        <Switch
          label={t('form.unmasked')}
          checked={value.unmasked}
          onChange={(event) => onChange({ ...value, unmasked: event.currentTarget.checked })}
        />
      )}
    </Stack>
  );
}
