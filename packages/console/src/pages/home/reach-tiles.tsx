import type { ContactGrowth } from '@roster/client';
import { SimpleGrid, Skeleton } from '@mantine/core';
import type { UseQueryResult } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { QueryState } from '#components/states/query-state.tsx';
import { formatNumber, formatPercent } from '#components/values/format.ts';
import { StatTile } from '#components/values/stat-tile.tsx';
import { useTexts } from '#texts/use-texts.ts';

const channels = ['email', 'sms', 'whatsapp'] as const;
const columns = { base: 2, md: 4 };

/** The contacts now, and how many of them each channel reaches. */
export function ReachTiles({
  query,
  days,
}: {
  readonly query: UseQueryResult<ContactGrowth>;
  readonly days: number;
}): ReactNode {
  const t = useTexts('home');
  return (
    <QueryState query={query} loading={<LoadingTiles />}>
      {({ contacts, reach, days: all }) => {
        const change = all.reduce((sum, { created, deleted }) => sum + created - deleted, 0);
        const shown = formatNumber(change, { signDisplay: 'exceptZero' });
        return (
          <SimpleGrid cols={columns} spacing="md">
            <StatTile
              label={t('tiles.contacts')}
              value={formatNumber(contacts)}
              note={t('tiles.added', { change: shown, formatted: formatNumber(days) })}
            />
            {channels.map((channel) => {
              const share = contacts === 0 ? 0 : reach[channel] / contacts;
              return (
                <StatTile
                  key={channel}
                  label={t(`tiles.${channel}`)}
                  value={formatNumber(reach[channel])}
                  share={share}
                  note={t('tiles.share', { share: formatPercent(share) })}
                  help={t('tiles.reachHelp')}
                />
              );
            })}
          </SimpleGrid>
        );
      }}
    </QueryState>
  );
}

function LoadingTiles(): ReactNode {
  return (
    <SimpleGrid cols={columns} spacing="md" aria-busy="true">
      {['contacts', ...channels].map((tile) => (
        <Skeleton key={tile} height={98} radius="md" />
      ))}
    </SimpleGrid>
  );
}
