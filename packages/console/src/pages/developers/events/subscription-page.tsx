import type { EventSubscription, EventTestResult } from '@roster/client';
import { Alert, Button, Group, Paper, SimpleGrid, Stack, Text, Title } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useNavigate, useParams } from '@tanstack/react-router';
import { History, Pause, Pencil, Play, RefreshCw, Send, Trash } from 'lucide-react';
import { useState, type ReactNode } from 'react';
import { ApiCallButton } from '#components/actions/api-call-button.tsx';
import { CodeBlock } from '#components/actions/code-block.tsx';
import { ConfirmDialog } from '#components/actions/confirm-dialog.tsx';
import { CopyText } from '#components/actions/copy-text.tsx';
import { useIsHere } from '#components/actions/use-is-here.ts';
import { ProblemAlert } from '#components/actions/problem-alert.tsx';
import { useDialog } from '#components/actions/dialog-frame.ts';
import { SideDialog } from '#components/actions/side-dialog.tsx';
import { FilterText } from '#components/contacts/filter-text.tsx';
import { WholeNumberField } from '#components/inputs/whole-number-field.tsx';
import { PageHeader } from '#components/layout/page-header.tsx';
import { Page } from '#components/layout/page.tsx';
import { QueryState } from '#components/states/query-state.tsx';
import { DateTime } from '#components/values/date-time.tsx';
import { formatDuration, formatNumber } from '#components/values/format.ts';
import { KeyValues } from '#components/values/key-values.tsx';
import { StatTile } from '#components/values/stat-tile.tsx';
import { useAccount } from '#shell/account/use-account.ts';
import { useAuthorName } from '#shell/account/use-author-name.ts';
import { useReasons } from '#texts/use-reasons.ts';
import { useTexts } from '#texts/use-texts.ts';
import { SubscriptionBadge } from './badges.tsx';
import { EventDeliveries } from './event-deliveries.tsx';
import { useKindWords } from './kind-name.tsx';
import { SubscriptionForm } from './subscription-form.tsx';

type OpenDialog = 'edit' | 'replay' | 'rotate' | 'delete' | undefined;

/** One subscription: its lag, its deliveries, and what can be done with it. */
export function SubscriptionPage(): ReactNode {
  const t = useTexts('developers');
  const { subscriptionId } = useParams({
    from: '/signed-in/accounts/$accountId/developers/subscriptions/$subscriptionId',
  });
  const reasonOf = useReasons();
  const { accountId, account, can } = useAccount();
  const cache = useQueryClient();
  const [dialog, setDialog] = useState<OpenDialog>();
  const listKey = ['accounts', accountId, 'event-subscriptions'];
  const subscription = useQuery({
    queryKey: [...listKey, subscriptionId],
    queryFn: ({ signal }) => account.eventSubscriptions.get(subscriptionId, { signal }),
    refetchInterval: 3000,
  });
  const refresh = (): Promise<void> => cache.invalidateQueries({ queryKey: listKey });
  const pausing = useMutation({
    mutationFn: (paused: boolean) => account.eventSubscriptions.update(subscriptionId, { paused }),
    onSuccess: refresh,
  });
  const test = useMutation({ mutationFn: () => account.eventSubscriptions.test(subscriptionId) });
  const base = `/accounts/${accountId}/developers/subscriptions`;
  const isPaused = subscription.data?.status === 'paused';
  return (
    <Page>
      <PageHeader
        title={subscription.data?.name ?? t('subscriptions.oneTitle')}
        above={[{ label: t('subscriptions.title'), to: base }]}
        badge={subscription.data && <SubscriptionBadge subscription={subscription.data} />}
      >
        <ApiCallButton
          call={{
            operation: 'getEventSubscription',
            path: { account_id: accountId, subscription_id: subscriptionId },
          }}
        />
        {can('callbacks:write') && subscription.data !== undefined && (
          <>
            <Button
              variant="default"
              leftSection={<Send size={14} aria-hidden />}
              loading={test.isPending}
              onClick={() => test.mutate()}
            >
              {t('subscriptions.test')}
            </Button>
            <Button
              variant={isPaused ? 'filled' : 'default'}
              leftSection={isPaused ? <Play size={14} aria-hidden /> : <Pause size={14} aria-hidden />}
              loading={pausing.isPending}
              onClick={() => pausing.mutate(!isPaused)}
            >
              {t(isPaused ? 'subscriptions.resume' : 'subscriptions.pause')}
            </Button>
          </>
        )}
      </PageHeader>
      <ProblemAlert error={pausing.error ?? test.error} />
      {test.data !== undefined && <TestResult result={test.data} onClose={() => test.reset()} />}
      <QueryState query={subscription}>
        {(found) => (
          <Stack gap="lg">
            {found.pause !== null && (
              <Alert color="orange" title={t('subscriptions.pausedTitle')}>
                {reasonOf(found.pause.message)} (<DateTime value={found.pause.since} ago />)
              </Alert>
            )}
            {found.pending?.error != null && (
              <Alert color="red" title={t('subscriptions.failingTitle')}>
                {reasonOf(found.pending.error.message)} {t('deliveries.next')}:{' '}
                <DateTime value={found.pending.next_attempt_at} ago />
              </Alert>
            )}
            <Numbers subscription={found} />
            <Details subscription={found} onOpen={setDialog} />
            <Stack gap="xs">
              <Title order={2} size="h5">
                {t('subscriptions.deliveries')}
              </Title>
              <EventDeliveries subscriptionId={subscriptionId} />
            </Stack>
            <Dialogs subscription={found} dialog={dialog} onClose={() => setDialog(undefined)} refresh={refresh} />
          </Stack>
        )}
      </QueryState>
    </Page>
  );
}

function TestResult({
  result: { delivered, status_code: status, duration_ms: duration, error },
  onClose,
}: {
  readonly result: EventTestResult;
  readonly onClose: () => void;
}): ReactNode {
  const t = useTexts('developers');
  const common = useTexts('common');
  const reasonOf = useReasons();
  return (
    <Alert
      mb="md"
      role="status"
      color={delivered ? 'green' : 'red'}
      title={t(delivered ? 'subscriptions.testDelivered' : 'subscriptions.testFailed')}
      withCloseButton
      closeButtonLabel={common('actions.close')}
      onClose={onClose}
    >
      {status !== null && `${t('deliveries.answer')}: ${status}. `}
      {error !== null && reasonOf(error.message)} {formatNumber(duration)} ms
    </Alert>
  );
}

function Numbers({
  subscription: { lag, position, dead_letters: dead },
}: {
  readonly subscription: EventSubscription;
}) {
  const t = useTexts('developers');
  return (
    <SimpleGrid cols={{ base: 2, md: 4 }} spacing="md">
      <StatTile
        label={t('subscriptions.lagEvents')}
        value={formatNumber(lag.events)}
        help={t('subscriptions.lagHelp')}
      />
      <StatTile label={t('subscriptions.lagSeconds')} value={formatDuration(lag.seconds)} />
      <StatTile label={t('subscriptions.position')} value={formatNumber(position)} />
      <StatTile label={t('subscriptions.deadLetters')} value={formatNumber(dead)} />
    </SimpleGrid>
  );
}

function Details({
  subscription: found,
  onOpen,
}: {
  readonly subscription: EventSubscription;
  readonly onOpen: (dialog: OpenDialog) => void;
}): ReactNode {
  const t = useTexts('developers');
  const access = useAccount();
  const { can } = access;
  const words = useKindWords();
  const authorOf = useAuthorName();
  return (
    <Paper withBorder p="md">
      <Stack>
        <KeyValues
          entries={[
            [t('subscriptions.id'), <CopyText key="id" value={found.subscription_id} />],
            [
              t('subscriptions.url'),
              <Text key="url" inherit ff="monospace" style={{ overflowWrap: 'anywhere' }}>
                {found.url}
              </Text>,
            ],
            [t('headers.title'), found.header_names.length === 0 ? t('headers.none') : found.header_names.join(', ')],
            [
              t('subscriptions.kinds'),
              found.kinds === null ? t('subscriptions.allKinds') : found.kinds.map(words).join(', '),
            ],
            [
              t('subscriptions.filter'),
              found.filter === null ? undefined : <FilterText key="filter" access={access} filter={found.filter} />,
            ],
            [
              t('subscriptions.fields'),
              found.fields.length === 0 ? t('subscriptions.noFields') : found.fields.join(', '),
            ],
            [t('subscriptions.whenFailed'), t(`subscriptions.policies.${found.when_failed}`)],
            [t('subscriptions.maxEvents'), formatNumber(found.max_events)],
            [t('subscriptions.secretSince'), <DateTime key="secret" value={found.secret_created_at} />],
            [t('subscriptions.author'), authorOf(found.author)],
          ]}
        />
        {can('callbacks:write') && (
          <Group gap="xs">
            <Button variant="default" leftSection={<Pencil size={14} aria-hidden />} onClick={() => onOpen('edit')}>
              {t('subscriptions.edit')}
            </Button>
            <Button variant="default" leftSection={<History size={14} aria-hidden />} onClick={() => onOpen('replay')}>
              {t('subscriptions.replay')}
            </Button>
            <Button
              variant="default"
              leftSection={<RefreshCw size={14} aria-hidden />}
              onClick={() => onOpen('rotate')}
            >
              {t('subscriptions.rotate')}
            </Button>
            <Button variant="default" leftSection={<Trash size={14} aria-hidden />} onClick={() => onOpen('delete')}>
              {t('subscriptions.delete')}
            </Button>
          </Group>
        )}
      </Stack>
    </Paper>
  );
}

function Dialogs({
  subscription,
  dialog,
  onClose,
  refresh,
}: {
  readonly subscription: EventSubscription;
  readonly dialog: OpenDialog;
  readonly onClose: () => void;
  readonly refresh: () => Promise<void>;
}): ReactNode {
  const t = useTexts('developers');
  const { accountId, account } = useAccount();
  const navigate = useNavigate();
  const isHere = useIsHere();
  const { subscription_id: id, name, position, last_position: last } = subscription;
  const [after, setAfter] = useState<number | null>(position);
  const [secret, setSecret] = useState<string>();
  return (
    <>
      <SideDialog isOpen={dialog === 'edit'} onClose={onClose} size="xl" title={t('subscriptions.editTitle')}>
        {dialog === 'edit' && <SubscriptionForm subscription={subscription} />}
      </SideDialog>
      <ConfirmDialog
        isOpen={dialog === 'replay'}
        onClose={onClose}
        title={t('subscriptions.replayTitle')}
        action={t('subscriptions.replay')}
        isDisabled={after === null}
        hasEntries={after !== position}
        onConfirm={async () => {
          await account.eventSubscriptions.replay(id, after!);
          await refresh();
        }}
      >
        <Stack>
          <Text size="sm">{t('subscriptions.replayText')}</Text>
          <WholeNumberField
            label={t('subscriptions.after')}
            description={t('subscriptions.afterText', { last: formatNumber(last) })}
            min={0}
            required
            hideControls
            value={after}
            onChange={setAfter}
          />
        </Stack>
      </ConfirmDialog>
      <ConfirmDialog
        isOpen={dialog === 'rotate'}
        onClose={onClose}
        title={t('signingSecret.rotateTitle')}
        action={t('subscriptions.rotate')}
        onConfirm={async () => {
          setSecret((await account.eventSubscriptions.rotateSecret(id)).secret);
          await refresh();
        }}
      >
        {t('subscriptions.rotateText')}
      </ConfirmDialog>
      <ConfirmDialog
        isOpen={dialog === 'delete'}
        onClose={onClose}
        title={t('subscriptions.deleteTitle', { name })}
        action={t('subscriptions.delete')}
        onConfirm={async () => {
          await account.eventSubscriptions.delete(id);
          if (isHere()) await navigate({ to: `/accounts/${accountId}/developers/subscriptions` });
        }}
      >
        {t('subscriptions.deleteText')}
      </ConfirmDialog>
      <SideDialog
        isOpen={secret !== undefined}
        onClose={() => setSecret(undefined)}
        title={t('subscriptions.newSecret')}
      >
        {secret !== undefined && <NewSecret secret={secret} />}
      </SideDialog>
    </>
  );
}

function NewSecret({ secret }: { readonly secret: string }): ReactNode {
  const t = useTexts('developers');
  const common = useTexts('common');
  const dialog = useDialog({ isShownOnce: true });
  return (
    <Stack>
      <Text size="sm">{t('subscriptions.createdText')}</Text>
      <CodeBlock code={secret} />
      <Group justify="flex-end">
        <Button onClick={() => dialog.closeDone()}>{common('actions.close')}</Button>
      </Group>
    </Stack>
  );
}
