import { Skeleton, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { useFilterSources } from '#components/filter/filter-sources.tsx';
import { useFilterWords } from '#components/filter/filter-words.ts';
import { describeFilter } from '#components/filter/model/describe-filter.ts';
import { findField } from '#components/filter/model/fields.ts';
import { fromSearchFilter, type SearchFilter } from '#components/filter/model/filter.ts';
import type { Access } from './access.ts';
import { ContactSources } from './contact-sources.tsx';

/** A filter of the API as a sentence. The page must load the texts `filter`. */
export function FilterText({ access, filter }: { readonly access: Access; readonly filter: SearchFilter }): ReactNode {
  return (
    <ContactSources access={access} loading={<Skeleton h={20} maw={320} />}>
      <Sentence filter={filter} />
    </ContactSources>
  );
}

function Sentence({ filter }: { readonly filter: SearchFilter }): ReactNode {
  const words = useFilterWords();
  const { fields } = useFilterSources();
  return (
    <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
      {sentenceOf()}
    </Text>
  );

  function sentenceOf(): string {
    try {
      return describeFilter(
        fromSearchFilter(filter, (name) => findField(fields, name)?.name ?? name),
        words,
      );
    } catch {
      // The service says what is wrong with such a filter.
      return JSON.stringify(filter);
    }
  }
}
