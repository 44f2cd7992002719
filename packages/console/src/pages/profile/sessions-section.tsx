import type { OwnSession } from '@roster/client';
import { Button, Group, Table, Text } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { client } from '#api/client.ts';
import { ApiCallButton } from '#components/actions/api-call-button.tsx';
import { QueryState } from '#components/states/query-state.tsx';
import { ShortTable } from '#components/table/short-table.tsx';
import { DateTime } from '#components/values/date-time.tsx';
import { ColourBadge } from '#components/values/status-badge.tsx';
import { ProblemAlert } from '#components/actions/problem-alert.tsx';
import { useTexts } from '#texts/use-texts.ts';
import { Section } from './section.tsx';

const queryKey = ['me', 'sessions'];

/** Where the person is signed in. */
export function SessionsSection(): ReactNode {
  const t = useTexts('profile');
  const cache = useQueryClient();
  const query = useQuery({
    queryKey,
    queryFn: ({ signal }) => client.me.sessions.list({ limit: 500, signal }).all(),
  });
  const onSuccess = () => cache.invalidateQueries({ queryKey });
  const endOthers = useMutation({ mutationFn: () => client.me.sessions.endOthers(), onSuccess });
  const end = useMutation({
    mutationFn: (id: number) => client.me.sessions.end(id),
    onSuccess,
  });
  const hasOthers = (query.data?.length ?? 0) > 1;
  return (
    <Section
      title={t('sessions.title')}
      text={t('sessions.text')}
      actions={
        <Group gap="xs">
          {hasOthers && (
            <Button variant="default" loading={endOthers.isPending} onClick={() => endOthers.mutate()}>
              {t('sessions.endOthers')}
            </Button>
          )}
          <ApiCallButton call={{ operation: 'listOwnSessions' }} />
        </Group>
      }
    >
      <ProblemAlert error={end.error ?? endOthers.error} />
      <QueryState query={query}>
        {(found) => (
          <ShortTable
            aria-label={t('sessions.title')}
            minWidth={520}
            heads={[t('sessions.browser'), t('sessions.address'), t('lastUsed')]}
            actions={t('actions')}
          >
            {[...found].reverse().map((session) => (
              <SessionRow key={session.session_id} session={session} onEnd={() => end.mutate(session.session_id)} />
            ))}
          </ShortTable>
        )}
      </QueryState>
    </Section>
  );
}

function SessionRow({ session, onEnd }: { readonly session: OwnSession; readonly onEnd: () => void }): ReactNode {
  const t = useTexts('profile');
  return (
    <Table.Tr>
      <Table.Td>
        <Group gap="xs">
          <Text size="sm" title={session.client}>
            {nameOf(session.client) ?? t('sessions.unknown')}
          </Text>
          {session.is_current && <ColourBadge color="indigo">{t('sessions.current')}</ColourBadge>}
        </Group>
        <Text size="xs" c="dimmed">
          {t(`sessions.methods.${session.method}`)}
        </Text>
      </Table.Td>
      <Table.Td>{session.address}</Table.Td>
      <Table.Td>
        <DateTime value={session.last_seen_at} ago />
      </Table.Td>
      <Table.Td ta="right">
        {!session.is_current && (
          <Button variant="subtle" size="compact-sm" color="red" onClick={onEnd}>
            {t('sessions.end')}
          </Button>
        )}
      </Table.Td>
    </Table.Tr>
  );
}

// A browser names others before itself, so the order matters.
const browsers = [
  [/Edg\//, 'Edge'],
  [/OPR\//, 'Opera'],
  [/Firefox\//, 'Firefox'],
  [/Chrome\//, 'Chrome'],
  [/Safari\//, 'Safari'],
] as const;
const systems = [
  [/Windows/, 'Windows'],
  [/Android/, 'Android'],
  [/iPhone|iPad/, 'iOS'],
  [/Mac OS X/, 'macOS'],
  [/Linux/, 'Linux'],
] as const;

/** Returns a short name of a browser, such as “Firefox, Linux”. */
function nameOf(client: string): string | undefined {
  const find = (names: readonly (readonly [RegExp, string])[]) => names.find(([pattern]) => pattern.test(client))?.[1];
  const found = [find(browsers), find(systems)].filter((name) => name !== undefined);
  if (found.length > 0) return found.join(', ');
  return client === '' ? undefined : client.slice(0, 60);
}
