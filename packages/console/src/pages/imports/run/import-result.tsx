import { Alert, Card, Group, Progress, SimpleGrid, Stack, Text } from '@mantine/core';
import type { Import } from '@roster/client';
import { FlaskConical } from 'lucide-react';
import type { ReactNode } from 'react';
import { formatBytes, formatDuration, formatNumber, formatPercent } from '#components/values/format.ts';
import { StatusBadge } from '#components/values/status-badge.tsx';
import { useReasons } from '#texts/use-reasons.ts';
import { useTexts } from '#texts/use-texts.ts';
import { ContactLinks } from './contact-links.tsx';
import { FailedRows } from './failed-rows.tsx';
import { isRunning, statusOf } from './import-query.ts';

const outcomes = ['total', 'created', 'updated', 'unchanged', 'failed', 'warnings'] as const;

/** What an import has done so far, and the rows that failed. */
export function ImportResult({ found }: { readonly found: Import }): ReactNode {
  const t = useTexts('imports');
  const reasonOf = useReasons();
  const { counts, progress, failure, dry_run: isCheck } = found;
  return (
    <Stack>
      <Card withBorder>
        <Stack gap="sm">
          <Group justify="space-between">
            <Group gap="xs">
              {isCheck && <FlaskConical size={16} aria-hidden />}
              <Text fw={600}>{isCheck ? t('result.check') : t('result.title')}</Text>
              <StatusBadge status={statusOf(found)} />
            </Group>
            {isRunning(found) && (
              <Text size="sm" c="dimmed">
                {progress.rows_per_second !== null &&
                  t('result.speed', { formatted: formatNumber(progress.rows_per_second) })}
                {progress.seconds_left !== null &&
                  ` · ${t('result.left', { time: formatDuration(progress.seconds_left) })}`}
              </Text>
            )}
          </Group>
          {isRunning(found) && (
            <>
              <Progress value={progress.percent} animated aria-label={t('result.progress')} />
              <Text size="sm" c="dimmed" role="status">
                {found.status === 'fetching'
                  ? t('result.fetched', { size: formatBytes(found.received_bytes) })
                  : t('result.read', {
                      formatted: formatNumber(progress.rows_read),
                      percent: formatPercent(progress.percent / 100, 0),
                    })}
              </Text>
            </>
          )}
          {failure !== null && (
            <Alert color="red" role="alert" title={t('result.failed')}>
              {reasonOf(failure.message)}
            </Alert>
          )}
          <SimpleGrid component="dl" m={0} cols={{ base: 2, xs: 3, md: 6 }} spacing="sm">
            {outcomes.map((outcome) => (
              <div key={outcome}>
                <Text component="dt" size="xs" c="dimmed">
                  {t(`counts.${outcome}`)}
                </Text>
                <Text
                  component="dd"
                  m={0}
                  fz={22}
                  fw={600}
                  lh={1.2}
                  c={counts[outcome] === 0 ? 'dimmed' : outcome === 'failed' ? 'red' : undefined}
                >
                  {formatNumber(counts[outcome])}
                </Text>
              </div>
            ))}
          </SimpleGrid>
          {!isRunning(found) && <ContactLinks found={found} />}
          {isCheck && found.status === 'completed' && (
            <Text size="sm">{counts.failed === 0 ? t('result.checkFine') : t('result.checkFaults')}</Text>
          )}
        </Stack>
      </Card>
      {!isRunning(found) && counts.failed + counts.warnings > 0 && <FailedRows found={found} />}
    </Stack>
  );
}
