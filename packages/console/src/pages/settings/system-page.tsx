import type { System } from '@roster/client';
import { Alert, Paper, Progress, SimpleGrid, Stack, Table, Text, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { client } from '#api/client.ts';
import { ApiCallButton } from '#components/actions/api-call-button.tsx';
import { Page } from '#components/layout/page.tsx';
import { QueryState } from '#components/states/query-state.tsx';
import { ShortTable } from '#components/table/short-table.tsx';
import { DateTime } from '#components/values/date-time.tsx';
import { formatBytes, formatNumber, formatPercent } from '#components/values/format.ts';
import { KeyValues } from '#components/values/key-values.tsx';
import { StatusBadge } from '#components/values/status-badge.tsx';
import { useReasons } from '#texts/use-reasons.ts';
import { useTexts } from '#texts/use-texts.ts';
import { SettingsHeader } from './settings-section.tsx';

/** With a smaller share of free space, the page warns. */
const lowSpace = 0.1;

/** The installation: versions, database, disk, workers and backups. */
export function SystemPage(): ReactNode {
  const t = useTexts('settings');
  const system = useQuery({
    queryKey: ['system'],
    queryFn: ({ signal }) => client.system({ signal }),
    refetchInterval: 10_000,
  });
  return (
    <Page>
      <SettingsHeader title={t('system.title')} text={t('system.text')}>
        <ApiCallButton call={{ operation: 'getSystem' }} />
      </SettingsHeader>
      <QueryState query={system}>{(found) => <State system={found} />}</QueryState>
    </Page>
  );
}

function State({ system }: { readonly system: System }): ReactNode {
  const t = useTexts('settings');
  const reasonOf = useReasons();
  const { database, disk, processes, pipeline } = system;
  const free = disk.total === 0 ? 1 : disk.free / disk.total;
  return (
    <Stack gap="md">
      {processes.workers === 0 && (
        <Alert color="red" role="alert" title={t('system.noWorker')}>
          {t('system.noWorkerText')}
        </Alert>
      )}
      <SimpleGrid cols={{ base: 1, md: 2 }} spacing="md">
        <Panel title={t('system.software')}>
          <KeyValues
            entries={[
              [t('system.version'), system.version],
              [t('system.database'), `PostgreSQL ${database.version}`],
              [t('system.node'), system.node_version],
              [t('system.files'), t(`system.places.${system.files.place}`)],
            ]}
          />
        </Panel>
        <Panel title={t('system.running')}>
          <KeyValues
            entries={[
              [t('system.workers'), formatNumber(processes.workers)],
              [
                t('system.connections'),
                `${formatNumber(database.connections)} / ${formatNumber(database.max_connections)}`,
              ],
              [t('system.waiting'), formatNumber(pipeline.waiting_requests)],
              [t('system.oldest'), <DateTime key="oldest" value={pipeline.oldest_waiting} ago />],
            ]}
          />
        </Panel>
      </SimpleGrid>
      {pipeline.waiting_accounts.length > 0 && (
        <Panel title={t('system.waitingAccounts')}>
          <WaitingAccounts accounts={pipeline.waiting_accounts} />
        </Panel>
      )}
      <Panel title={t('system.space')}>
        <Stack gap="xs">
          <Progress value={(1 - free) * 100} color={free < lowSpace ? 'red' : 'indigo'} aria-label={t('system.used')} />
          <Text size="sm">
            {t('system.free', {
              free: formatBytes(disk.free),
              total: formatBytes(disk.total),
              share: formatPercent(free, 0),
            })}
          </Text>
          <Text size="sm" c="dimmed">
            {t('system.databaseSize', { size: formatBytes(database.size) })}
          </Text>
        </Stack>
      </Panel>
      <Panel title={t('system.backups')}>
        {system.backups.length === 0 ? (
          <Text size="sm">{t(system.backups_are_scheduled ? 'system.noBackupYet' : 'system.noBackups')}</Text>
        ) : (
          <ShortTable
            aria-label={t('system.backups')}
            minWidth={480}
            heads={[t('system.backup'), t('system.status'), t('system.started'), t('system.size')]}
          >
            {system.backups.map(({ name, status, started_at, size, error }) => (
              <Table.Tr key={`${name} ${started_at}`}>
                <Table.Td style={{ overflowWrap: 'anywhere' }}>
                  {name}
                  {error !== null && (
                    <Text size="xs" c="var(--mantine-color-red-text)">
                      {reasonOf(error)}
                    </Text>
                  )}
                </Table.Td>
                <Table.Td miw={110}>
                  <StatusBadge status={status} />
                </Table.Td>
                <Table.Td style={{ whiteSpace: 'nowrap' }}>
                  <DateTime value={started_at} />
                </Table.Td>
                <Table.Td style={{ whiteSpace: 'nowrap' }}>{size === null ? '–' : formatBytes(size)}</Table.Td>
              </Table.Tr>
            ))}
          </ShortTable>
        )}
      </Panel>
    </Stack>
  );
}

function WaitingAccounts({ accounts }: { readonly accounts: System['pipeline']['waiting_accounts'] }): ReactNode {
  const t = useTexts('settings');
  const common = useTexts('common');
  return (
    <ShortTable
      aria-label={t('system.waitingAccounts')}
      minWidth={480}
      heads={[t('system.account'), t('system.waiting'), t('system.oldest'), t('system.parallel')]}
    >
      {accounts.map(({ account_id: id, name, buckets, waiting_requests: waiting, oldest_waiting: oldest }) => (
        <Table.Tr key={id}>
          <Table.Td style={{ overflowWrap: 'anywhere' }}>
            {name} ({id})
          </Table.Td>
          <Table.Td>{formatNumber(waiting)}</Table.Td>
          <Table.Td style={{ whiteSpace: 'nowrap' }}>
            <DateTime value={oldest} ago />
          </Table.Td>
          <Table.Td>{common(buckets > 1 ? 'values.yes' : 'values.no')}</Table.Td>
        </Table.Tr>
      ))}
    </ShortTable>
  );
}

function Panel({ title, children }: { readonly title: string; readonly children: ReactNode }): ReactNode {
  return (
    <Paper withBorder p="md">
      <Stack gap="sm">
        <Title order={2} size="h5">
          {title}
        </Title>
        {children}
      </Stack>
    </Paper>
  );
}
