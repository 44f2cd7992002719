import { Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { Card } from '#components/layout/card.tsx';
import { QueryState } from '#components/states/query-state.tsx';
import { useTexts } from '#texts/use-texts.ts';
import { useUsage } from './registry/use-attributes.ts';
import { UseList } from './registry/use-list.tsx';

/** What uses an attribute. */
export function UsageCard({ attributeId }: { readonly attributeId: number }): ReactNode {
  const t = useTexts('attributes');
  const usage = useUsage(attributeId);
  return (
    <Card title={t('uses.title')}>
      <QueryState query={usage}>
        {({ usage: uses }) =>
          uses.length === 0 ? (
            <Text size="sm" c="dimmed">
              {t('uses.none')}
            </Text>
          ) : (
            <UseList uses={uses} />
          )
        }
      </QueryState>
    </Card>
  );
}
