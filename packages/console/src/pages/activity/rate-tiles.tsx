import { SimpleGrid } from '@mantine/core';
import type { ReactNode } from 'react';
import { formatNumber } from '#components/values/format.ts';
import { StatTile } from '#components/values/stat-tile.tsx';
import { useTexts } from '#texts/use-texts.ts';
import { kinds, rateOf, sumOf, type Numbers } from './kinds.ts';

/** The numbers of the period, with their rates. */
export function RateTiles({ totals }: { readonly totals: readonly Numbers[] }): ReactNode {
  const t = useTexts('activity');
  const common = useTexts('common');
  const sums = sumOf(totals);
  return (
    <SimpleGrid cols={{ base: 2, sm: 4, xl: 7 }} spacing="md">
      {kinds.map((kind) => {
        const rate = rateOf(sums, kind);
        const isOfSent = kind === 'delivered' || kind === 'bounce' || sums.delivered === 0;
        return (
          <StatTile
            key={kind}
            label={common(`activityKinds.${kind}`)}
            value={formatNumber(sums[kind])}
            note={rate === undefined ? ' ' : t(isOfSent ? 'rates.ofSent' : 'rates.ofDelivered', { rate })}
            {...(kind === 'open' ? { help: t('rates.help') } : {})}
          />
        );
      })}
    </SimpleGrid>
  );
}
