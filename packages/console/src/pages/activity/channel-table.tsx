import type { ActivityStatistics } from '@roster/client';
import { Anchor, Table, Text } from '@mantine/core';
import { useNavigate } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { Card } from '#components/layout/card.tsx';
import { formatNumber } from '#components/values/format.ts';
import { useTexts } from '#texts/use-texts.ts';
import { kinds, rateOf } from './kinds.ts';

/** The numbers and rates of each channel. */
export function ChannelTable({ totals }: { readonly totals: ActivityStatistics['totals'] }): ReactNode {
  const t = useTexts('activity');
  const common = useTexts('common');
  const navigate = useNavigate({ from: '/accounts/$accountId/activity' });
  return (
    <Card title={t('byChannel')}>
      <Table.ScrollContainer
        minWidth={820}
        scrollAreaProps={{
          offsetScrollbars: false,
          viewportProps: { tabIndex: 0, role: 'region', 'aria-label': t('channels') },
        }}
      >
        <Table verticalSpacing={6} fz="sm">
          <Table.Thead>
            <Table.Tr>
              <Table.Th>{t('channel')}</Table.Th>
              {kinds.map((kind) => (
                <Table.Th key={kind} ta="end">
                  {common(`activityKinds.${kind}`)}
                </Table.Th>
              ))}
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {totals.map((row) => {
              const name = common(`channels.${row.channel}`);
              return (
                <Table.Tr key={row.channel}>
                  <Table.Td>
                    <Anchor
                      component="button"
                      size="sm"
                      aria-label={t('onlyChannel', { channel: name })}
                      onClick={() => void navigate({ search: (old) => ({ ...old, channel: row.channel }) })}
                    >
                      {name}
                    </Anchor>
                  </Table.Td>
                  {kinds.map((kind) => (
                    <Table.Td key={kind} ta="end" style={{ whiteSpace: 'nowrap' }}>
                      {formatNumber(row[kind])}
                      {kind !== 'sent' && (
                        <Text component="span" size="xs" c="dimmed" display="inline-block" w={48}>
                          {rateOf(row, kind) ?? ''}
                        </Text>
                      )}
                    </Table.Td>
                  ))}
                </Table.Tr>
              );
            })}
          </Table.Tbody>
        </Table>
      </Table.ScrollContainer>
    </Card>
  );
}
