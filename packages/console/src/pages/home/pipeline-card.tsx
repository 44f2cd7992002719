import type { PipelineState } from '@roster/client';
import { Alert, Anchor, Badge, Divider, Group, Progress, SimpleGrid, Stack, Text } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { Card } from '#components/layout/card.tsx';
import { QueryState } from '#components/states/query-state.tsx';
import { DateTime } from '#components/values/date-time.tsx';
import { formatDuration, formatNumber, formatPercent } from '#components/values/format.ts';
import { useAccount } from '#shell/account/use-account.ts';
import { useTexts } from '#texts/use-texts.ts';
import { usePipeline } from './use-pipeline.ts';
import { addressOf } from './work-address.ts';

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
      {state.running.length === 0 ? (
        <Text size="sm" c="dimmed">
          {t('pipeline.nothingRuns')}
        </Text>
      ) : (
        state.running.map((work) => <Running key={work.id} work={work} />)
      )}
    </Stack>
  );
}

function Running({ work }: { readonly work: PipelineState['running'][number] }): ReactNode {
  const t = useTexts('home');
  const { accountId } = useAccount();
  const title = work.title === '' ? t(work.kind === 'import' ? 'unnamed.import' : 'unnamed.export') : work.title;
  return (
    <div>
      <Group justify="space-between" gap="xs" wrap="nowrap">
        <Anchor component={Link} to={addressOf(accountId, work)} size="sm" truncate>
          {title}
        </Anchor>
        <Text size="xs" c="dimmed" component="span" flex="none">
          {work.percent === null ? <DateTime value={work.at} ago /> : formatPercent(work.percent / 100, 0)}
        </Text>
      </Group>
      <Progress
        value={work.percent ?? 100}
        animated={work.percent === null}
        size={4}
        mt={4}
        aria-label={title}
        transitionDuration={0}
      />
    </div>
  );
}
