import type { PipelineState } from '@roster/client';
import { Anchor, Group, List, Stack, Text } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { CircleCheck } from 'lucide-react';
import type { ReactNode } from 'react';
import type { Permission } from '#api/session.ts';
import { Card } from '#components/layout/card.tsx';
import { QueryState } from '#components/states/query-state.tsx';
import { DateTime } from '#components/values/date-time.tsx';
import { formatNumber } from '#components/values/format.ts';
import { ColourBadge } from '#components/values/status-badge.tsx';
import { useAccount } from '#shell/account/use-account.ts';
import { useReasons } from '#texts/use-reasons.ts';
import { useTexts } from '#texts/use-texts.ts';
import { usePipeline } from './use-pipeline.ts';
import { addressOf, failuresAddressOf } from './work-address.ts';

type Failures = PipelineState['failures'][number];

/** More failures are not counted. */
const countedTo = 1000;

/** The kinds of failures, and the permission to see them. */
const permissions = {
  request: 'requests:read',
  import: 'imports:read',
  export: 'exports:read',
  bulk_change: 'contacts:read',
  callback: 'callbacks:read',
  mail: 'mails:read',
} as const satisfies Readonly<Record<Failures['kind'], Permission>>;
const kinds = Object.keys(permissions) as Failures['kind'][];

/** What failed since yesterday, with a link to the cause. Nothing for people who see no failures. */
export function FailuresCard(): ReactNode {
  const t = useTexts('home');
  const { can } = useAccount();
  const query = usePipeline();
  const seen = kinds.filter((kind) => can(permissions[kind]));
  if (seen.length === 0) return null;
  return (
    <Card title={t('failures.title')}>
      <QueryState query={query}>
        {({ failures }) =>
          failures.length === 0 ? (
            <Group gap="xs" c="dimmed" wrap="nowrap">
              <CircleCheck size={16} style={{ flex: 'none' }} aria-hidden />
              <Text size="sm">
                {seen.length === kinds.length
                  ? t('failures.none')
                  : t('failures.noneSeen', { kinds: seen.map((kind) => t(`kinds.${kind}`)).join(', ') })}
              </Text>
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
  const shell = useTexts('shell');
  const reasonOf = useReasons();
  const { accountId } = useAccount();
  const titleOf = ({ title }: Failures['latest'][number]): string => {
    if (kind === 'request') return t(`operations.${title as 'contact.create'}`, { defaultValue: title });
    if (kind === 'bulk_change') return shell(`bulkActions.${title as 'delete'}`);
    return title === '' ? t(kind === 'import' ? 'unnamed.import' : 'unnamed.export') : title;
  };
  const formatted = formatNumber(count);
  return (
    <div>
      <Group gap="xs" mb={4}>
        <Anchor component={Link} to={failuresAddressOf(accountId, kind)} size="sm" fw={600} c="inherit">
          {t(`kinds.${kind}`)}
        </Anchor>
        <ColourBadge color="red">{count >= countedTo ? t('failures.atLeast', { formatted }) : formatted}</ColourBadge>
      </Group>
      <List listStyleType="none" spacing={6} size="sm">
        {latest.map((work) => (
          <List.Item key={work.id} styles={{ itemWrapper: { display: 'block' }, itemLabel: { display: 'block' } }}>
            <Group gap="xs" justify="space-between" wrap="nowrap">
              <Anchor component={Link} to={addressOf(accountId, work)} size="sm" truncate>
                {titleOf(work)}
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
                work.cause !== null && reasonOf(work.cause),
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
