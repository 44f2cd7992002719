import type { ContactProfile } from '@roster/client';
import { Anchor, Badge, Group, Pill, Select, Stack, Text, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useId, useState, type ReactNode } from 'react';
import { CopyText } from '#components/actions/copy-text.tsx';
import { useIsNarrow } from '#components/layout/use-is-narrow.ts';
import { derivedLabel } from '#components/filter/filter-words.ts';
import { DateTime } from '#components/values/date-time.tsx';
import { formatNumber } from '#components/values/format.ts';
import { KeyValues } from '#components/values/key-values.tsx';
import { useAccount } from '#shell/account/use-account.ts';
import { ProblemAlert } from '#components/actions/problem-alert.tsx';
import { useTexts } from '#texts/use-texts.ts';
import { ChannelSwitches } from './channel-switches.tsx';
import styles from './contact.module.css';
import { EditableValue, type Value } from './editable-value.tsx';
import type { ContactChange } from './use-contact.ts';

interface PanelProps {
  readonly profile: ContactProfile;
  readonly changes: ContactChange;
}

/** What matters about a contact at a glance: who it is, why it has its type, and its audiences. */
export function SidePanel(props: PanelProps): ReactNode {
  const t = useTexts('contact');
  const { profile, changes } = props;
  const { error } = changes.change;
  return (
    <div className={styles.side}>
      {/* A field that is edited shows its error itself. These are of lists. */}
      {error !== null && changes.change.variables?.field === '' && <ProblemAlert error={error} mb="md" />}
      <Details {...props} />
      <Lifecycle profile={profile} />
      <DerivedValues profile={profile} />
      <Section title={t('side.optOuts')}>
        <ChannelSwitches {...props} />
      </Section>
      <Lists {...props} />
      <Segments profile={profile} />
      <Former profile={profile} />
    </div>
  );
}

function Section({ title, children }: { readonly title: string; readonly children: ReactNode }): ReactNode {
  const id = useId();
  return (
    <section aria-labelledby={id} className={styles.section}>
      <Title id={id} order={2} size="h5" className={styles.sectionTitle}>
        {title}
      </Title>
      {children}
    </section>
  );
}

function Details({ profile, changes }: PanelProps): ReactNode {
  const t = useTexts('contact');
  const { can } = useAccount();
  const isNarrow = useIsNarrow();
  const field = (name: 'email' | 'mobile', kind: 'email' | 'tel'): ReactNode => (
    <EditableValue
      name={t(`fields.${name}`)}
      kind={kind}
      value={profile[name]}
      canEdit={can('contacts:write')}
      inTab={isNarrow}
      onSave={(value: Value) =>
        changes.change.mutateAsync({
          field: t(`fields.${name}`),
          body: { [name]: value === null ? null : String(value) },
          undo: { body: { [name]: profile[name] }, value: profile[name] ?? '' },
          yours: String(value ?? ''),
          valueOf: (one) => one[name] ?? '',
        })
      }
    />
  );
  return (
    <Section title={t('side.details')}>
      <KeyValues
        entries={[
          [t('fields.identity'), <bdi key="identity">{profile.identity ?? '–'}</bdi>],
          [t('fields.email'), field('email', 'email')],
          [t('fields.mobile'), field('mobile', 'tel')],
          [t('fields.id'), <CopyText key="id" value={String(profile.contact_id)} />],
          [t('fields.created'), <DateTime key="created" value={profile.created_at} />],
          [t('fields.updated'), <DateTime key="updated" value={profile.updated_at} ago />],
        ]}
      />
    </Section>
  );
}

/** Derived attributes that say something, without the counts of each channel. */
function DerivedValues({ profile: { derived_attributes: all } }: { readonly profile: ContactProfile }): ReactNode {
  const t = useTexts('contact');
  const words = useTexts('filter');
  const isShown = ({ name, value }: (typeof all)[number]): boolean =>
    name === 'activity.engagement_score' || (value !== null && value !== 0 && !/^activity\.\w+\.\w+_days$/.test(name));
  const shown = all.filter(isShown);
  if (shown.length === 0) return null;
  return (
    <Section title={t('side.derived')}>
      <Stack gap={4}>
        {shown.map(({ name, value }) => (
          <Group key={name} justify="space-between" wrap="nowrap" gap="sm">
            <Text size="sm" c="dimmed">
              {derivedLabel(words, name) ?? name}
            </Text>
            <Text size="sm" component="div" ta="end">
              {typeof value === 'number' ? formatNumber(value) : <DateTime value={value} ago />}
            </Text>
          </Group>
        ))}
      </Stack>
    </Section>
  );
}

function Lifecycle({ profile: { lifecycle } }: { readonly profile: ContactProfile }): ReactNode {
  const t = useTexts('contact');
  const { accountId, can } = useAccount();
  const { type_before_blacklisting: before, request_id: request } = lifecycle;
  return (
    <Section title={t('side.lifecycle')}>
      <KeyValues
        entries={[
          [t('side.since'), <DateTime key="since" value={lifecycle.since} />],
          [t('side.why'), t(`causes.${lifecycle.cause ?? 'unknown'}`)],
          [t('side.before'), before === null ? undefined : t(`types.${before}`)],
          [
            t('side.request'),
            request === null ? undefined : !can('requests:read') ? (
              <Text key="request" span inherit ff="monospace">
                {request.slice(0, 8)}…
              </Text>
            ) : (
              <Anchor
                key="request"
                component={Link}
                to={`/accounts/${accountId}/developers/requests/${request}`}
                size="sm"
                ff="monospace"
              >
                {request.slice(0, 8)}…
              </Anchor>
            ),
          ],
        ]}
      />
    </Section>
  );
}

function Lists({ profile, changes }: PanelProps): ReactNode {
  const t = useTexts('contact');
  const { accountId, account, can } = useAccount();
  const [search, setSearch] = useState('');
  const canEdit = can('contacts:write');
  const lists = useQuery({
    queryKey: ['accounts', accountId, 'lists', 'first'],
    queryFn: async ({ signal }) => (await account.lists.list({ signal, limit: 500 }).page()).data,
    enabled: canEdit && can('lists:read'),
  });
  const change = (audienceId: number, action: 'add' | 'remove'): void =>
    changes.change.mutate({
      field: '',
      body: { audience_details: [{ audience_id: [audienceId], action }] },
      yours: String(action === 'add'),
      valueOf: (one) => String(one.lists.some((list) => list.audience_id === audienceId)),
    });
  const others = (lists.data ?? []).filter(
    ({ audience_id: id }) => !profile.lists.some((list) => list.audience_id === id),
  );
  return (
    <Section title={t('side.lists')}>
      <Stack gap="xs">
        {profile.lists.length === 0 && (
          <Text size="sm" c="dimmed">
            {t('side.noLists')}
          </Text>
        )}
        <Group gap={6}>
          {profile.lists.map(({ audience_id: id, name }) => (
            <Pill
              key={id}
              size="md"
              withRemoveButton={canEdit}
              removeButtonProps={{
                'aria-label': t('side.removeFromList', { name }),
                'aria-hidden': false,
                tabIndex: 0,
              }}
              onRemove={() => change(id, 'remove')}
            >
              <Anchor
                component={Link}
                to={`/accounts/${accountId}/audiences/lists/${id}`}
                fz="inherit"
                c="inherit"
                underline="hover"
              >
                {name}
              </Anchor>
            </Pill>
          ))}
        </Group>
        {others.length > 0 && (
          <Select
            aria-label={t('side.addToList')}
            placeholder={t('side.addToList')}
            size="xs"
            searchable
            searchValue={search}
            onSearchChange={setSearch}
            value={null}
            data={others.map(({ audience_id: id, name }) => ({ value: String(id), label: name }))}
            onChange={(id) => {
              setSearch('');
              if (id !== null) change(Number(id), 'add');
            }}
          />
        )}
      </Stack>
    </Section>
  );
}

function Segments({ profile }: { readonly profile: ContactProfile }): ReactNode {
  const t = useTexts('contact');
  const { accountId } = useAccount();
  const { segments, unusable_segments: unusable } = profile;
  return (
    <Section title={t('side.segments')}>
      {segments.length === 0 && (
        <Text size="sm" c="dimmed">
          {t('side.noSegments')}
        </Text>
      )}
      <Group gap={6}>
        {segments.map(({ audience_id: id, name }) => (
          <Anchor key={id} component={Link} to={`/accounts/${accountId}/audiences/segments/${id}`} underline="never">
            <Badge variant="light" tt="none" fw={500} radius="sm" className={styles.pointer}>
              {name}
            </Badge>
          </Anchor>
        ))}
      </Group>
      {unusable.length > 0 && (
        <Text size="xs" c="dimmed" mt="xs" title={unusable.map(({ name }) => name).join(', ')}>
          {t('side.unusable', { count: unusable.length })}
        </Text>
      )}
    </Section>
  );
}

function Former({ profile: { former_identities: former } }: { readonly profile: ContactProfile }): ReactNode {
  const t = useTexts('contact');
  if (former.length === 0) return null;
  return (
    <Section title={t('side.former')}>
      <Stack gap={4}>
        {former.map(({ identity, changed_at: at }) => (
          <Group key={identity} justify="space-between" wrap="nowrap">
            <Text size="sm" dir="auto" className={styles.anywhere}>
              {identity}
            </Text>
            <Text size="xs" c="dimmed">
              <DateTime value={at} ago />
            </Text>
          </Group>
        ))}
      </Stack>
    </Section>
  );
}
