import type { PipelineState } from '@roster/client';
import { Anchor, Group, List, Stack, Text } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { CircleCheck } from 'lucide-react';
import type { ReactNode } from 'react';
import { Card } from '#components/layout/card.tsx';
import { QueryState } from '#components/states/query-state.tsx';
import { DateTime } from '#components/values/date-time.tsx';
import { formatNumber } from '#components/values/format.ts';
import { ColourBadge } from '#components/values/status-badge.tsx';
import { useAccount } from '#shell/account/use-account.ts';
import { useTexts } from '#texts/use-texts.ts';
import { usePipeline } from './use-pipeline.ts';
import { addressOf, listAddressOf } from './work-address.ts';

type Failures = PipelineState['failures'][number];

/** More failures are not counted. */
const countedTo = 1000;

/** What failed since yesterday, with a link to the cause. */
export function FailuresCard(): ReactNode {
  const t = useTexts('home');
  const query = usePipeline();
  return (
    <Card title={t('failures.title')}>
      <QueryState query={query}>
        {({ failures }) =>
          failures.length === 0 ? (
            <Group gap="xs" c="dimmed" wrap="nowrap">
              <CircleCheck size={16} aria-hidden />
              <Text size="sm">{t('failures.none')}</Text>
            </Group>
          ) : (
            <Stack gap="md">
              {failures.map((group) => (
                <FailureGroup key={group.kind} group={group} />
              ))}
            </Stack>
          )
        }
      </QueryState>
    </Card>
  );
}

function FailureGroup({ group: { kind, count, latest } }: { readonly group: Failures }): ReactNode {
  const t = useTexts('home');
  const { accountId } = useAccount();
  const formatted = formatNumber(count);
  return (
    <div>
      <Group gap="xs" mb={4}>
        <Anchor component={Link} to={listAddressOf(accountId, kind)} size="sm" fw={600} c="inherit">
          {t(`kinds.${kind}`)}
        </Anchor>
        <ColourBadge color="red">{count >= countedTo ? t('failures.atLeast', { formatted }) : formatted}</ColourBadge>
      </Group>
      <List listStyleType="none" spacing={6} size="sm">
        {latest.map((work) => (
          <List.Item key={work.id} styles={{ itemWrapper: { display: 'block' }, itemLabel: { display: 'block' } }}>
            <Group gap="xs" justify="space-between" wrap="nowrap">
              <Anchor component={Link} to={addressOf(accountId, work)} size="sm" truncate>
                {work.title === '' ? t(kind === 'import' ? 'unnamed.import' : 'unnamed.export') : work.title}
              </Anchor>
              <Text size="xs" c="dimmed" flex="none">
                <DateTime value={work.at} ago />
              </Text>
            </Group>
            <Text size="xs" c="dimmed" lineClamp={2}>
              {[
                work.failed !== null &&
                  work.failed > 0 &&
                  t('failures.failedItems', { count: work.failed, formatted: formatNumber(work.failed) }),
                work.cause,
              ]
                .filter(Boolean)
                .join(' · ')}
            </Text>
          </List.Item>
        ))}
      </List>
      {count > latest.length && (
        <Text size="xs" c="dimmed" mt={4}>
          {t('failures.more', { formatted: formatNumber(count - latest.length) })}
        </Text>
      )}
    </div>
  );
}
