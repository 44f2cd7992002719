import type { PipelineState } from '@roster/client';
import { Alert, Badge, Divider, SimpleGrid, Stack, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { Card } from '#components/layout/card.tsx';
import { QueryState } from '#components/states/query-state.tsx';
import { formatDuration, formatNumber } from '#components/values/format.ts';
import { isRunning, useRunningWork } from '#shell/account/use-running-work.ts';
import { WorkItem } from '#shell/tray/work-list.tsx';
import { useTexts } from '#texts/use-texts.ts';
import { usePipeline } from './use-pipeline.ts';

/** More running work is in the tray, which shows all. */
const shownWork = 8;

/** What the account waits for, and what runs now. */
export function PipelineCard(): ReactNode {
  const t = useTexts('home');
  const query = usePipeline();
  return (
    <Card title={t('pipeline.title')} controls={query.data && <StateBadge state={query.data} />}>
      <QueryState query={query}>{(state) => <State state={state} />}</QueryState>
    </Card>
  );
}

function StateBadge({ state: { workers, waiting_requests: waiting } }: { readonly state: PipelineState }): ReactNode {
  const t = useTexts('home');
  const [color, label] =
    workers === 0
      ? (['red', t('pipeline.stopped')] as const)
      : waiting > 0
        ? (['blue', t('pipeline.working')] as const)
        : (['green', t('pipeline.upToDate')] as const);
  return (
    <Badge variant="dot" color={color} radius="sm" tt="none" fw={500}>
      {label}
    </Badge>
  );
}

function State({ state }: { readonly state: PipelineState }): ReactNode {
  const t = useTexts('home');
  const running = useRunningWork().filter(isRunning);
  const facts = [
    [t('pipeline.waiting'), formatNumber(state.waiting_requests)],
    [t('pipeline.items'), formatNumber(state.waiting_items)],
    [t('pipeline.lag'), state.waiting_requests === 0 ? '–' : formatDuration(state.lag_seconds)],
    [t('pipeline.workers'), formatNumber(state.workers)],
  ] as const;
  return (
    <Stack gap="sm">
      {state.workers === 0 && (
        <Alert color="red" p="xs">
          {t('pipeline.stoppedText')}
        </Alert>
      )}
      <SimpleGrid component="dl" cols={2} spacing="sm" verticalSpacing="xs" m={0}>
        {facts.map(([label, value]) => (
          <div key={label}>
            <Text component="dt" size="xs" c="dimmed">
              {label}
            </Text>
            <Text component="dd" m={0} fw={600}>
              {value}
            </Text>
          </div>
        ))}
      </SimpleGrid>
      <Divider />
      <Text size="xs" c="dimmed" fw={600}>
        {t('pipeline.running')}
      </Text>
      {running.length === 0 ? (
        <Text size="sm" c="dimmed">
          {t('pipeline.nothingRuns')}
        </Text>
      ) : (
        <Stack component="ul" aria-label={t('pipeline.running')} gap="sm" p={0} m={0} style={{ listStyle: 'none' }}>
          {running.slice(0, shownWork).map((work) => (
            <WorkItem key={`${work.kind} ${work.id}`} work={work} />
          ))}
        </Stack>
      )}
      {running.length > shownWork && (
        <Text size="xs" c="dimmed">
          {t('failures.more', { formatted: formatNumber(running.length - shownWork) })}
        </Text>
      )}
    </Stack>
  );
}
