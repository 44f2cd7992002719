import type { DerivedAttributes as Answer } from '@roster/client';
import { Badge, Button, Group, List, Paper, Progress, Stack, Text, Title } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState, type ReactNode } from 'react';
import { ConfirmDialog } from '#components/actions/confirm-dialog.tsx';
import { ProblemAlert } from '#components/actions/problem-alert.tsx';
import { QueryState } from '#components/states/query-state.tsx';
import { formatNumber } from '#components/values/format.ts';
import { useAccount } from '#shell/account/use-account.ts';
import { useTexts } from '#texts/use-texts.ts';

// Milliseconds between two looks at the state, while it changes.
const pollInterval = 1000;

/** Switches the derived attributes of the account, and shows how far they are computed. */
export function DerivedAttributes(): ReactNode {
  const t = useTexts('settings');
  const { accountId, account, can } = useAccount();
  const cache = useQueryClient();
  const [isLeaving, setIsLeaving] = useState(false);
  const key = ['accounts', accountId, 'derived-attributes'];
  const found = useQuery({
    queryKey: key,
    queryFn: ({ signal }) => account.activities.derived({ signal }),
    refetchInterval: ({ state: { data } }) =>
      data === undefined || data.state === 'ready' || data.state === 'off' ? false : pollInterval,
  });
  const refresh = async (): Promise<void> => {
    await cache.invalidateQueries({ queryKey: key });
    await cache.invalidateQueries({ queryKey: ['accounts', accountId, 'account'] });
  };
  const change = useMutation({
    mutationFn: (isOn: boolean) => account.update({ settings: { derived_attributes: isOn } }),
    onSuccess: refresh,
  });
  const rebuild = useMutation({ mutationFn: () => account.activities.rebuildDerived(), onSuccess: refresh });
  return (
    <Paper withBorder p="md">
      <QueryState query={found}>
        {({ state, progress, uses }) => {
          const isOn = state !== 'off' && state !== 'removing';
          return (
            <Stack gap="sm">
              <Group justify="space-between">
                <Title order={2} size="h5">
                  {t('account.derived.title')}
                </Title>
                <Badge color={state === 'ready' ? 'green' : isOn ? 'blue' : 'gray'} variant="light" role="status">
                  {t(`account.derived.state.${state}`)}
                </Badge>
              </Group>
              <Text size="sm" c="dimmed">
                {t('account.derived.text')}
              </Text>
              {progress !== null && (
                <Stack gap={4}>
                  <Progress
                    value={progress.total === 0 ? 100 : (100 * progress.done) / progress.total}
                    aria-label={t(`account.derived.state.${state}`)}
                  />
                  <Text size="xs" c="dimmed">
                    {t('account.derived.progress', {
                      done: formatNumber(progress.done),
                      total: formatNumber(progress.total),
                    })}
                  </Text>
                </Stack>
              )}
              {/* The dialog shows its own error. */}
              {!isLeaving && <ProblemAlert error={change.error ?? rebuild.error} />}
              <Group justify="flex-end">
                {isOn && can('attributes:write') && (
                  <Button
                    variant="default"
                    loading={rebuild.isPending}
                    disabled={progress !== null}
                    onClick={() => rebuild.mutate()}
                  >
                    {t('account.derived.rebuild')}
                  </Button>
                )}
                {can('account:write') && (
                  <Button
                    variant={isOn ? 'default' : 'filled'}
                    loading={change.isPending}
                    onClick={() => (isOn ? setIsLeaving(true) : change.mutate(true))}
                  >
                    {t(isOn ? 'account.derived.switchOff' : 'account.derived.switchOn')}
                  </Button>
                )}
              </Group>
              <ConfirmDialog
                isOpen={isLeaving}
                onClose={() => setIsLeaving(false)}
                title={t('account.derived.question')}
                action={t('account.derived.switchOff')}
                onConfirm={() => change.mutateAsync(false)}
              >
                <Text size="sm">{t('account.derived.confirm')}</Text>
                <Uses uses={uses} />
              </ConfirmDialog>
            </Stack>
          );
        }}
      </QueryState>
    </Paper>
  );
}

const shownUses = 10;

/** What cannot be evaluated any more when the attributes are switched off. */
function Uses({ uses }: Pick<Answer, 'uses'>): ReactNode {
  const t = useTexts('settings');
  const names = useTexts('attributes');
  if (uses.length === 0) return null;
  return (
    <>
      <Text size="sm" mt="xs">
        {t('account.derived.used')}
      </Text>
      <List size="sm" style={{ overflowWrap: 'anywhere' }}>
        {uses.slice(0, shownUses).map(({ feature, id, name }) => (
          <List.Item key={`${feature} ${id}`}>
            {names(`uses.features.${feature}`)}: <bdi>{name}</bdi>
          </List.Item>
        ))}
      </List>
      {uses.length > shownUses && (
        <Text size="sm">{t('account.derived.more', { count: uses.length - shownUses })}</Text>
      )}
    </>
  );
}
