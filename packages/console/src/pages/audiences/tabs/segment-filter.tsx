import { Alert, Button, Group, Paper, SimpleGrid, Stack, Text, Title } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { RosterError, type Segment } from '@roster/client';
import { useQueryClient } from '@tanstack/react-query';
import { useMemo, useState, type ReactNode } from 'react';
import { problemOf } from '#api/problem.ts';
import { LiveCount, useContactCount } from '#components/contacts/live-count.tsx';
import { FilterBuilder } from '#components/filter/filter-builder.tsx';
import { useFilterSources } from '#components/filter/filter-sources.tsx';
import { useFilterWords } from '#components/filter/filter-words.ts';
import { describeFilter } from '#components/filter/model/describe-filter.ts';
import { findField } from '#components/filter/model/fields.ts';
import { toAddress } from '#components/filter/model/filter-address.ts';
import {
  countIncomplete,
  fromSearchFilter,
  noFilter,
  toSearchFilter,
  type FilterModel,
} from '#components/filter/model/filter.ts';
import { useAccount } from '#shell/account/use-account.ts';
import { useTexts } from '#texts/use-texts.ts';
import styles from './audiences.module.css';
import { versionOf } from './version-of.ts';

/** The filter of a segment: as a sentence, and in the builder. */
export function SegmentFilter({ segment }: { readonly segment: Segment }): ReactNode {
  const t = useTexts('audiences');
  const common = useTexts('common');
  const access = useAccount();
  const { accountId, account, can } = access;
  const queries = useQueryClient();
  const words = useFilterWords();
  const { fields } = useFilterSources();
  const modelOf = (from: Segment): FilterModel =>
    fromSearchFilter(from, (field) => findField(fields, field)?.name ?? field);

  /** The state on which the draft builds. */
  const [base, setBase] = useState(segment);
  const stored = useMemo(() => modelOf(base), [base, fields]); // oxlint-disable-line react/exhaustive-deps
  const [draft, setDraft] = useState(stored);
  const [theirs, setTheirs] = useState<Segment | undefined>(undefined);
  const [error, setError] = useState<unknown>(undefined);
  const [isSaving, setSaving] = useState(false);
  const isComplete = countIncomplete(draft) === 0;
  const [counted, setCounted] = useState(stored);
  if (isComplete && counted !== draft) setCounted(draft);
  const count = useContactCount(access, counted);
  const isChanged = JSON.stringify(toAddress(draft)) !== JSON.stringify(toAddress(stored));

  async function save(version: string): Promise<void> {
    setSaving(true);
    setError(undefined);
    try {
      const filter = { filtering_criteria: [], ...toSearchFilter(draft) };
      const saved = await account.segments.update(base.audience_id, filter, { ifMatch: version });
      continueFrom(saved, draft);
      notifications.show({ message: common('errors.saved'), color: 'green' });
      await queries.invalidateQueries({ queryKey: ['accounts', accountId, 'segments'] });
      await queries.invalidateQueries({ queryKey: ['accounts', accountId, 'contacts'] });
    } catch (failure) {
      if (failure instanceof RosterError && failure.code === 'changed') setTheirs(failure.current as Segment);
      else setError(failure);
    } finally {
      setSaving(false);
    }
  }

  function continueFrom(next: Segment, filter: FilterModel): void {
    setBase(next);
    setDraft(filter);
    setTheirs(undefined);
  }

  const problem = error === undefined ? undefined : problemOf(error);
  return (
    <Stack gap="sm" className={styles.scroll}>
      <Text size="sm">{describeFilter(isComplete ? draft : stored, words)}</Text>
      {theirs !== undefined && (
        <Alert color="orange" role="alert" title={t('merge.title')}>
          <Stack gap="sm">
            <Text size="sm">{t('merge.text')}</Text>
            <SimpleGrid cols={{ base: 1, sm: 2 }}>
              <Version title={t('merge.theirs', { name: theirs.name })} text={describeFilter(modelOf(theirs), words)} />
              <Version
                title={t('merge.mine', { name: base.name })}
                text={describeFilter(isComplete ? draft : noFilter, words)}
              />
            </SimpleGrid>
            <Group gap="xs">
              <Button variant="default" onClick={() => continueFrom(theirs, modelOf(theirs))}>
                {t('merge.useTheirs')}
              </Button>
              <Button
                variant="default"
                onClick={() => {
                  const both = modelOf(theirs);
                  continueFrom(theirs, { connective: 'and', groups: [...both.groups, ...draft.groups] });
                }}
                disabled={modelOf(theirs).connective === 'or' || draft.connective === 'or'}
              >
                {t('merge.useBoth')}
              </Button>
              <Button loading={isSaving} onClick={() => void save(versionOf(theirs))}>
                {t('merge.useMine')}
              </Button>
            </Group>
          </Stack>
        </Alert>
      )}
      <Paper withBorder p="sm" radius="md" flex="none">
        <FilterBuilder filter={draft} onChange={setDraft} />
      </Paper>
      {problem !== undefined && (
        <Alert color="red" role="alert">
          {problem.faults[0]?.message ?? problem.message ?? common(`errors.${problem.kind}.text`)}
        </Alert>
      )}
      <Group gap="sm">
        {can('segments:write') && (
          <>
            <Button disabled={!isChanged || !isComplete} loading={isSaving} onClick={() => void save(versionOf(base))}>
              {t('saveFilter')}
            </Button>
            <Button variant="default" disabled={!isChanged} onClick={() => setDraft(stored)}>
              {t('discard')}
            </Button>
          </>
        )}
        <LiveCount count={count} />
      </Group>
    </Stack>
  );
}

function Version({ title, text }: { readonly title: string; readonly text: string }): ReactNode {
  return (
    <Paper withBorder p="sm" radius="sm">
      <Title order={2} size="h5" mb={4}>
        {title}
      </Title>
      <Text size="sm" lineClamp={8}>
        {text}
      </Text>
    </Paper>
  );
}
