import { Alert, Paper, Stack, Text } from '@mantine/core';
import type { Segment } from '@roster/client';
import { useMemo, type ReactNode } from 'react';
import { LiveCount, useContactCount } from '#components/contacts/live-count.tsx';
import { useFilterSources } from '#components/filter/filter-sources.tsx';
import { useFilterWords } from '#components/filter/filter-words.ts';
import { describeFilter } from '#components/filter/model/describe-filter.ts';
import { findField } from '#components/filter/model/fields.ts';
import { fromSearchFilter } from '#components/filter/model/filter.ts';
import { useAccount } from '#shell/account/use-account.ts';
import { useTexts } from '#texts/use-texts.ts';
import { audienceFilter } from './audience-filter.ts';
import styles from './audiences.module.css';

/**
 * The filter of a segment with conditions that are masked for the person: as a sentence, without
 * the hidden values. Such a filter cannot be sent back, so the contacts are counted by the segment.
 */
export function MaskedFilter({ segment }: { readonly segment: Segment }): ReactNode {
  const t = useTexts('audiences');
  const filter = useTexts('filter');
  const access = useAccount();
  const words = useFilterWords();
  const { fields } = useFilterSources();
  const { audience_id: id } = segment;
  const count = useContactCount(
    access,
    useMemo(() => audienceFilter('segment', id), [id]),
  );
  const conditions = segment.filtering_criteria.flatMap((group) => group.condition_details);
  const missing = conditions.map(({ field }) => field).filter((field) => findField(fields, field) === undefined);
  return (
    <Stack gap="sm" className={styles.scroll}>
      <Paper withBorder p="sm" radius="md" flex="none">
        <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
          {describeFilter(
            fromSearchFilter(segment, (field) => findField(fields, field)?.name ?? field),
            words,
          )}
        </Text>
        {[...new Set(missing)].map((field) => (
          <Text key={field} size="xs" c="red">
            {field}: {filter('builder.invalid')}
          </Text>
        ))}
      </Paper>
      <Alert color="gray">{t(access.can('segments:write') ? 'masked.write' : 'masked.read')}</Alert>
      <LiveCount count={count} />
    </Stack>
  );
}
