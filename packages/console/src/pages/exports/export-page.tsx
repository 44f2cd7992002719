import { Alert, Anchor, Button, Code, Group, Paper, Progress, Stack, Text, Title } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Link, useParams } from '@tanstack/react-router';
import type { Export } from '@roster/client';
import { CalendarClock, Download, RotateCcw, X } from 'lucide-react';
import type { ReactNode } from 'react';
import { ApiCallButton } from '#components/actions/api-call-button.tsx';
import { ConfirmDialog } from '#components/actions/confirm-dialog.tsx';
import { ButtonLink } from '#components/actions/links.tsx';
import { useShownWork } from '#components/work/own-work.ts';
import { FilterText } from '#components/contacts/filter-text.tsx';
import { Page } from '#components/layout/page.tsx';
import { PageHeader } from '#components/layout/page-header.tsx';
import { QueryState } from '#components/states/query-state.tsx';
import { DateTime } from '#components/values/date-time.tsx';
import { formatBytes, formatDuration, formatNumber } from '#components/values/format.ts';
import { KeyValues } from '#components/values/key-values.tsx';
import { StatusBadge } from '#components/values/status-badge.tsx';
import { useAccount } from '#shell/account/use-account.ts';
import { useAuthorName } from '#shell/account/use-author-name.ts';
import { useRunningWork } from '#shell/account/use-running-work.ts';
import { useReasons } from '#texts/use-reasons.ts';
import { useTexts } from '#texts/use-texts.ts';
import { localFileUrl, useSourceName } from './use-names.ts';

const isUnfinished = ({ status }: Export): boolean => status === 'accepted' || status === 'running';

/** The page /exports/$requestId: one export, its progress and its file. */
export function ExportPage(): ReactNode {
  const t = useTexts('exports');
  const { accountId, account } = useAccount();
  const { requestId } = useParams({ from: '/signed-in/accounts/$accountId/exports/$requestId' });
  useShownWork('export', requestId);
  const query = useQuery({
    queryKey: ['accounts', accountId, 'exports', requestId],
    queryFn: ({ signal }) => account.exports.get(requestId, { signal }),
    refetchInterval: ({ state: { data } }) => (data !== undefined && isUnfinished(data) ? 2000 : false),
  });
  return (
    <Page>
      <QueryState
        query={query}
        head={
          <PageHeader title={t('detail.title')} above={[{ label: t('title'), to: `/accounts/${accountId}/exports` }]} />
        }
      >
        {(found) => <ExportDetail found={found} />}
      </QueryState>
    </Page>
  );
}

function ExportDetail({ found }: { readonly found: Export }): ReactNode {
  const t = useTexts('exports');
  const { accountId, account, can } = useAccount();
  const nameOf = useSourceName();
  const cache = useQueryClient();
  const [isCancelling, { open, close }] = useDisclosure(false);
  const { file_url: url, request_id: id } = found;
  const again = {
    ...(found.audience_type === null
      ? { filter: found.filter as object }
      : { audience_type: found.audience_type, audience_id: found.audience_id! }),
    attributes: found.attributes,
    ...(found.blocklist_type === null ? {} : { blocklist_type: found.blocklist_type }),
  };
  return (
    <>
      <PageHeader
        title={nameOf(found)}
        above={[{ label: t('title'), to: `/accounts/${accountId}/exports` }]}
        badge={<StatusBadge status={found.status} />}
      >
        <ApiCallButton call={{ operation: 'getExport', path: { account_id: accountId, request_id: id } }} />
        {can('export') && isUnfinished(found) && (
          <Button variant="default" leftSection={<X size={14} aria-hidden />} onClick={open}>
            {t('detail.cancel')}
          </Button>
        )}
        {can('export') && !isUnfinished(found) && (
          <>
            <ButtonLink
              variant="default"
              leftSection={<RotateCcw size={14} aria-hidden />}
              to="/accounts/$accountId/exports/new"
              params={{ accountId }}
              search={again}
            >
              {t('detail.again')}
            </ButtonLink>
            {found.schedule_id === null && (
              <ButtonLink
                variant="default"
                leftSection={<CalendarClock size={14} aria-hidden />}
                to="/accounts/$accountId/exports/schedules"
                params={{ accountId }}
                search={{ schedule: 'new', ...again }}
              >
                {t('detail.repeat')}
              </ButtonLink>
            )}
          </>
        )}
        {url !== null && (
          <Button component="a" href={localFileUrl(url)} download leftSection={<Download size={14} aria-hidden />}>
            {t('detail.download')}
          </Button>
        )}
      </PageHeader>
      <Stack gap="md">
        <State found={found} />
        <Facts found={found} />
      </Stack>
      <ConfirmDialog
        isOpen={isCancelling}
        onClose={close}
        title={t('detail.cancelTitle')}
        action={t('detail.cancel')}
        onConfirm={async () => {
          await account.exports.cancel(id);
          await cache.invalidateQueries({ queryKey: ['accounts', accountId, 'exports'] });
        }}
      >
        {t('detail.cancelText')}
      </ConfirmDialog>
    </>
  );
}

/** What happens now, or how the export ended. */
function State({ found }: { readonly found: Export }): ReactNode {
  const t = useTexts('exports');
  const reasonOf = useReasons();
  const work = useRunningWork().find(({ id }) => id === found.request_id);
  if (found.status === 'accepted') return <Alert color="gray">{t('detail.waiting')}</Alert>;
  if (found.status === 'failed') {
    return (
      <Alert color="red" role="alert" title={t('detail.failed')}>
        {found.error !== null && reasonOf(found.error)}
      </Alert>
    );
  }
  if (found.status === 'expired') return <Alert color="gray">{t('detail.expired')}</Alert>;
  if (found.status === 'completed' && found.file_url === null && found.place === null) {
    return <Alert color="gray">{t('detail.noFile')}</Alert>;
  }
  if (found.status !== 'running') return null;
  const done = Math.max(found.rows_written, work?.rows_done ?? 0);
  const total = work?.rows_total ?? found.rows_total;
  const percent = work?.percent ?? (total === null || total === 0 ? null : Math.min(99, (done / total) * 100));
  const facts = [
    total === null
      ? t('detail.rowsDone', { count: done, done: formatNumber(done) })
      : t('detail.rowsOf', { count: total, done: formatNumber(done), total: formatNumber(total) }),
    work?.rows_per_second == null ? undefined : t('detail.speed', { rows: formatNumber(work.rows_per_second) }),
    work?.seconds_left == null ? undefined : t('detail.left', { time: formatDuration(work.seconds_left) }),
  ];
  return (
    <Paper withBorder p="md">
      <Progress value={percent ?? 100} animated aria-label={t('columns.progress')} mb="xs" />
      <Text size="sm" c="dimmed" aria-live="polite">
        {facts.filter((fact) => fact !== undefined).join(' · ')}
      </Text>
    </Paper>
  );
}

function Facts({ found }: { readonly found: Export }): ReactNode {
  const t = useTexts('exports');
  const access = useAccount();
  const { accountId } = access;
  const nameOf = useSourceName();
  const authorOf = useAuthorName();
  const base = `/accounts/${accountId}`;
  const ended = found.finished_at !== null;
  const hasFile = found.status === 'completed' || found.status === 'expired';
  return (
    <>
      <Section title={t('detail.file')}>
        <KeyValues
          entries={[
            [t('detail.rows'), hasFile ? formatNumber(found.rows_written) : null],
            [t('detail.size'), found.file_size === null ? null : formatBytes(found.file_size)],
            [t('detail.compression'), found.compression === 'gzip' ? 'gzip' : null],
            [t('detail.place'), found.place ?? undefined],
            [t('detail.until'), found.place === null ? <DateTime key="until" value={found.expires_at} /> : undefined],
          ]}
        />
      </Section>
      <Section title={t('detail.content')}>
        <KeyValues
          entries={[
            [
              t('detail.name'),
              found.filter === null ? nameOf(found) : <FilterText key="name" access={access} filter={found.filter} />,
            ],
            [
              t('detail.columns'),
              <Group key="columns" gap={6}>
                {found.attributes.map((name) => (
                  <Code key={name}>{name}</Code>
                ))}
              </Group>,
            ],
            [
              t('detail.blocklist'),
              found.blocklist_type === null
                ? t('form.blocklistNone')
                : t(found.blocklist_type === 'email' ? 'form.blocklistEmail' : 'form.blocklistMobile'),
            ],
            [t('detail.unmasked'), t(found.unmasked ? 'detail.unmaskedYes' : 'detail.unmaskedNo')],
          ]}
        />
      </Section>
      <Section title={t('detail.notifications')}>
        <KeyValues
          entries={[
            [t('columns.author'), authorOf(found.author)],
            [
              t('detail.schedule'),
              found.schedule_id === null ? undefined : (
                <Anchor
                  key="schedule"
                  component={Link}
                  to={`${base}/exports/schedules?schedule=${found.schedule_id}&view=runs`}
                  inherit
                >
                  <DateTime value={found.due_at} />
                </Anchor>
              ),
            ],
            [t('detail.started'), <DateTime key="started" value={found.started_at ?? found.accepted_at} />],
            [t('detail.finished'), <DateTime key="finished" value={found.finished_at} />],
            [
              t('detail.callback'),
              <NotificationLink
                key="callback"
                id={found.delivery_id}
                ended={ended}
                to={`${base}/developers/deliveries/${found.delivery_id}`}
              />,
            ],
            [
              t('detail.mail'),
              <NotificationLink key="mail" id={found.mail_id} ended={ended} to={`${base}/developers/mails`} />,
            ],
          ]}
        />
      </Section>
    </>
  );
}

function NotificationLink({
  id,
  ended,
  to,
}: {
  readonly id: string | null;
  readonly ended: boolean;
  readonly to: string;
}): ReactNode {
  const t = useTexts('exports');
  if (id === null) return t(ended ? 'detail.noCallback' : 'detail.pending');
  return (
    <Anchor component={Link} to={to} inherit>
      {id}
    </Anchor>
  );
}

function Section({ title, children }: { readonly title: string; readonly children: ReactNode }): ReactNode {
  return (
    <Paper withBorder p="md" component="section">
      <Title order={2} size="h5" mb="sm">
        {title}
      </Title>
      {children}
    </Paper>
  );
}
