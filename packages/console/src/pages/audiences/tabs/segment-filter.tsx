import { Button, Group, Paper, Stack, Text } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import type { Segment } from '@roster/client';
import { useQueryClient } from '@tanstack/react-query';
import { useCallback, useMemo, useState, type ReactNode } from 'react';
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
  toSearchFilter,
  type FilterModel,
} from '#components/filter/model/filter.ts';
import { MergeDialog } from '#components/merge/merge-dialog.tsx';
import { useMerge } from '#components/merge/use-merge.ts';
import { versionOf } from '#components/merge/version-of.ts';
import { useAccount } from '#shell/account/use-account.ts';
import { ProblemAlert } from '#components/actions/problem-alert.tsx';
import { isSameTab, useUnsavedChanges } from '#components/actions/use-unsaved-changes.ts';
import { useTexts } from '#texts/use-texts.ts';
import styles from './audiences.module.css';

/** The filter of a segment: as a sentence, and in the builder. */
export function SegmentFilter({ segment }: { readonly segment: Segment }): ReactNode {
  const t = useTexts('audiences');
  const common = useTexts('common');
  const access = useAccount();
  const { accountId, account, can } = access;
  const queries = useQueryClient();
  const words = useFilterWords();
  const { fields } = useFilterSources();
  const modelOf = useCallback(
    (from: Segment): FilterModel => fromSearchFilter(from, (field) => findField(fields, field)?.name ?? field),
    [fields],
  );

  /** The state on which the draft builds. */
  const [base, setBase] = useState(segment);
  const stored = useMemo(() => modelOf(base), [base, modelOf]);
  const [draft, setDraft] = useState(stored);
  const merge = useMerge();
  const [error, setError] = useState<unknown>(undefined);
  const [isSaving, setSaving] = useState(false);
  const isComplete = countIncomplete(draft) === 0;
  const [counted, setCounted] = useState(stored);
  if (isComplete && counted !== draft) setCounted(draft);
  const count = useContactCount(access, counted);
  const isChanged = JSON.stringify(toAddress(draft)) !== JSON.stringify(toAddress(stored));

  // A condition that is not complete is a change, too. Who cannot save it has nothing to lose.
  const hasChanges = isChanged || countIncomplete(draft) !== countIncomplete(stored);
  useUnsavedChanges(can('segments:write') && (hasChanges || isSaving), {
    question: isSaving ? common('running') : undefined,
    keeps: isSameTab,
  });

  async function save(): Promise<void> {
    setSaving(true);
    setError(undefined);
    try {
      const saved = await merge.save<Segment, { readonly filter: FilterModel }>({
        stored: base,
        draft: { filter: draft },
        draftOf: (from) => ({ filter: modelOf(from) }),
        fields: [
          {
            id: 'filter',
            label: t('tabs.filter'),
            keys: ['filter'],
            show: ({ filter }) => describeFilter(filter, words),
            combine: (theirs, yours) => combined(theirs.filter, yours.filter),
          },
        ],
        save: ({ filter }, from) =>
          account.segments.update(
            from.audience_id,
            { filtering_criteria: [], ...toSearchFilter(filter) },
            { ifMatch: versionOf(from) },
          ),
      });
      if (saved === undefined) return;
      setBase(saved);
      setDraft(modelOf(saved));
      notifications.show({ message: common('errors.saved'), color: 'green' });
      await queries.invalidateQueries({ queryKey: ['accounts', accountId, 'segments'] });
      await queries.invalidateQueries({ queryKey: ['accounts', accountId, 'contacts'] });
    } catch (failure) {
      setError(failure);
    } finally {
      setSaving(false);
    }
  }

  return (
    <Stack gap="sm" className={styles.scroll}>
      <Text size="sm">{describeFilter(isComplete ? draft : stored, words)}</Text>
      <Paper withBorder p="sm" radius="md" flex="none">
        <FilterBuilder filter={draft} onChange={setDraft} />
      </Paper>
      <ProblemAlert error={error} />
      <Group gap="sm">
        {can('segments:write') && (
          <>
            <Button disabled={!isChanged || !isComplete} loading={isSaving} onClick={() => void save()}>
              {t('saveFilter')}
            </Button>
            <Button variant="default" disabled={!hasChanges} onClick={() => setDraft(stored)}>
              {t('discard')}
            </Button>
          </>
        )}
        <LiveCount count={count} />
      </Group>
      <MergeDialog conflict={merge.conflict} />
    </Stack>
  );
}

/** Puts the conditions of two filters together, so that a contact must match both. */
function combined(theirs: FilterModel, yours: FilterModel): { readonly filter: FilterModel } | undefined {
  if (theirs.connective === 'or' || yours.connective === 'or') return undefined;
  return { filter: { connective: 'and', groups: [...theirs.groups, ...yours.groups] } };
}
