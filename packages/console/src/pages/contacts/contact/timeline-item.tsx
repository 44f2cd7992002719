import type { TimelineEntry } from '@roster/client';
import { Anchor, Group, Text, ThemeIcon } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import {
  ArrowRightLeft,
  BellOff,
  BellRing,
  FileText,
  Mail,
  MailOpen,
  MailX,
  MousePointerClick,
  Send,
  ShieldAlert,
  Sparkles,
  UserPen,
  type LucideIcon,
} from 'lucide-react';
import type { TFunction } from 'i18next';
import type { ReactNode } from 'react';
import { DateTime } from '#components/values/date-time.tsx';
import { formatNumber } from '#components/values/format.ts';
import { useAccount } from '#shell/account/use-account.ts';
import { useTexts } from '#texts/use-texts.ts';
import styles from './contact.module.css';
import type { KnownRequest } from './use-known-requests.ts';

type Activity = NonNullable<TimelineEntry['activity']>;

const activityIcons: Readonly<Record<Activity['activity'], readonly [icon: LucideIcon, color: string]>> = {
  sent: [Send, 'gray'],
  delivered: [Mail, 'gray'],
  open: [MailOpen, 'teal'],
  click: [MousePointerClick, 'teal'],
  bounce: [MailX, 'orange'],
  unsubscribe: [BellOff, 'red'],
  spam: [ShieldAlert, 'red'],
};

const icons: Readonly<Record<Exclude<TimelineEntry['kind'], 'activity'>, readonly [icon: LucideIcon, color: string]>> =
  {
    created: [Sparkles, 'indigo'],
    request: [FileText, 'gray'],
    type_changed: [ArrowRightLeft, 'indigo'],
    identity_changed: [UserPen, 'indigo'],
    opted_out: [BellOff, 'red'],
    opted_in: [BellRing, 'teal'],
  };

/** One entry of the timeline of a contact. */
export function TimelineItem({
  entry,
  known,
}: {
  readonly entry: TimelineEntry;
  /** Who made the change, and what it changed, if this is known. */
  readonly known: KnownRequest | undefined;
}): ReactNode {
  const t = useTexts('contact');
  const [Icon, color] = entry.kind === 'activity' ? activityIcons[entry.activity!.activity] : icons[entry.kind];
  return (
    <li className={styles.entry}>
      <ThemeIcon size={28} radius="xl" variant="light" color={color}>
        <Icon size={14} aria-hidden />
      </ThemeIcon>
      <div className={styles.what}>
        <What entry={entry} fields={known?.fields ?? []} />
        {known !== undefined && (
          <Text size="xs" c="dimmed">
            {t('timeline.by', { name: known.author })}
          </Text>
        )}
      </div>
      <span className={styles.when}>
        <DateTime value={entry.occurred_at} ago />
      </span>
    </li>
  );
}

function What({ entry, fields }: { readonly entry: TimelineEntry; readonly fields: readonly string[] }): ReactNode {
  const t = useTexts('contact');
  const { activity, change, kind } = entry;
  switch (kind) {
    case 'activity':
      return <ActivityText activity={activity!} />;
    case 'request':
      return <RequestText request={entry.request!} fields={fields} />;
    case 'created':
      return <Line title={t('timeline.created')} />;
    case 'type_changed': {
      const typeOf = (type: string | null): string => t(`types.${type as 'identified'}`);
      const title = t('timeline.typeChanged', { from: typeOf(change!.from), to: typeOf(change!.to) });
      return <Line title={title} detail={change!.cause === null ? undefined : t(`causes.${change!.cause}`)} />;
    }
    case 'identity_changed': {
      const { from, to } = change!;
      const detail = from === null ? t('timeline.identityNew', { to }) : t('timeline.identityFrom', { from, to });
      return <Line title={t('timeline.identityChanged')} detail={detail} />;
    }
    case 'opted_out':
    case 'opted_in': {
      const channel = t(`channels.${change!.channel!}`);
      const by = change!.activity;
      const detail = by === null ? undefined : t('timeline.byActivity', { activity: t(`timeline.activities.${by}`) });
      return (
        <Line title={t(kind === 'opted_out' ? 'timeline.optedOut' : 'timeline.optedIn', { channel })} detail={detail} />
      );
    }
  }
}

function ActivityText({ activity }: { readonly activity: Activity }): ReactNode {
  const t = useTexts('contact');
  const { channel, msg_name: name, message_id: id, bounce_type: bounce, link, device, browser, os } = activity;
  const message = name ?? (id === null ? undefined : t('timeline.unnamed', { id }));
  const detail = [t(`channels.${channel}`), message, bounce && t(`timeline.${bounce}`), link, device, browser, os];
  return (
    <Line
      title={t(`timeline.activities.${activity.activity}`)}
      detail={detail.filter((part) => part !== undefined && part !== null && part !== '').join(' · ')}
    />
  );
}

function RequestText({
  request,
  fields,
}: {
  readonly request: NonNullable<TimelineEntry['request']>;
  readonly fields: readonly string[];
}): ReactNode {
  const t = useTexts('contact');
  const { accountId, can } = useAccount();
  const { operation, total, failed, request_id: id } = request;
  if (operation === null) return <Line title={t('timeline.expired')} />;
  const known = `timeline.operations.${operation}` as 'timeline.operations.contact.update';
  const named = t(known, { defaultValue: '' });
  const title = named === '' ? t('timeline.operations.other') : named;
  const detail = [
    total === null ? undefined : t('timeline.items', { count: total, formatted: formatNumber(total) }),
    failed === null || failed === 0
      ? undefined
      : total === 1
        ? t('timeline.oneFailed')
        : t('timeline.failed', { formatted: formatNumber(failed) }),
  ].filter((part) => part !== undefined);
  return (
    <Line
      title={fields.length === 0 ? title : `${title}: ${fields.map((field) => fieldName(t, field)).join(', ')}`}
      detail={
        <Group component="span" gap={6} wrap="wrap">
          {can('requests:read') ? (
            <Anchor component={Link} to={`/accounts/${accountId}/developers/requests/${id}`} fz="xs" ff="monospace">
              {operation}
            </Anchor>
          ) : (
            <Text span fz="xs" ff="monospace">
              {operation}
            </Text>
          )}
          <span>{detail.join(' · ')}</span>
        </Group>
      }
    />
  );
}

/** Returns the name of a changed field, such as `attributes.CITY`, as people see it. */
function fieldName(t: TFunction<'contact'>, field: string): string {
  if (field.startsWith('attributes.')) return field.slice('attributes.'.length);
  return t(`timeline.fields.${field as 'email'}`, { defaultValue: field });
}

function Line({ title, detail }: { readonly title: string; readonly detail?: ReactNode }): ReactNode {
  return (
    <>
      <Text size="sm" fw={500}>
        {title}
      </Text>
      {detail !== undefined && (
        <Text component="div" size="xs" c="dimmed" dir="auto" className={styles.anywhere} lineClamp={4}>
          {detail}
        </Text>
      )}
    </>
  );
}
