import type { ContactProfile } from '@roster/client';
import { Group, Stack, Switch, Text } from '@mantine/core';
import { useState, type ReactNode } from 'react';
import { ConfirmDialog } from '#components/actions/confirm-dialog.tsx';
import { DateTime } from '#components/values/date-time.tsx';
import { useAccount } from '#shell/account/use-account.ts';
import { useTexts } from '#texts/use-texts.ts';
import styles from './contact.module.css';
import type { ContactChange } from './use-contact.ts';

type OptOut = ContactProfile['opt_outs'][number];

/** Whether each channel may be used for a contact. A change is the wish of the person, so it asks first. */
export function ChannelSwitches({
  profile,
  changes: { change },
}: {
  readonly profile: ContactProfile;
  readonly changes: ContactChange;
}): ReactNode {
  const t = useTexts('contact');
  const { can } = useAccount();
  // The dialog keeps its words while it disappears, also after the change.
  const [asked, setAsked] = useState<OptOut>();
  const [isOpen, setOpen] = useState(false);
  const stateOf = (found: ContactProfile, channel: OptOut['channel']): string => t(`side.${reachOf(found, channel)}`);
  return (
    <Stack gap="xs">
      {profile.opt_outs.map((one) => (
        <Group key={one.channel} justify="space-between" wrap="nowrap">
          <Switch
            label={t(`channels.${one.channel}`)}
            checked={!one.opted_out}
            disabled={!can('contacts:write') || change.isPending}
            onChange={() => {
              setAsked(one);
              setOpen(true);
            }}
          />
          <Text
            size="xs"
            c={one.opted_out ? undefined : 'dimmed'}
            ta="end"
            className={one.opted_out ? styles.optedOut : undefined}
          >
            {stateOf(profile, one.channel)}
            {one.opted_out && one.since !== null && (
              <>
                {' '}
                · <DateTime value={one.since} ago />
              </>
            )}
          </Text>
        </Group>
      ))}
      {asked !== undefined && (
        <ConfirmDialog
          isOpen={isOpen}
          onClose={() => setOpen(false)}
          title={t(asked.opted_out ? 'optIn.title' : 'optOut.title', { channel: t(`channelNames.${asked.channel}`) })}
          action={t(asked.opted_out ? 'optIn.action' : 'optOut.action')}
          onConfirm={() =>
            change.mutateAsync({
              field: t(`channels.${asked.channel}`),
              body: { subscriptions: { [asked.channel]: asked.opted_out } },
              yours: t(asked.opted_out ? 'side.optedIn' : 'side.optedOut'),
              valueOf: (found) => stateOf(found, asked.channel),
            })
          }
        >
          <Effects profile={profile} optOut={asked} />
        </ConfirmDialog>
      )}
    </Stack>
  );
}

/** Returns whether something may be sent to a contact on a channel, and why not. */
function reachOf(
  { opt_outs: all, lifecycle, email, mobile }: ContactProfile,
  channel: OptOut['channel'],
): 'optedOut' | 'blacklisted' | 'noAddress' | 'noNumber' | 'reachable' {
  if (all.some((one) => one.channel === channel && one.opted_out)) return 'optedOut';
  if (lifecycle.contact_type === 'blacklisted') return 'blacklisted';
  if (channel === 'email') return email === null ? 'noAddress' : 'reachable';
  return mobile === null ? 'noNumber' : 'reachable';
}

/** Says what a change of a channel does. */
function Effects({
  profile: { lifecycle },
  optOut: { channel, opted_out: optsIn },
}: {
  readonly profile: ContactProfile;
  readonly optOut: OptOut;
}): ReactNode {
  const t = useTexts('contact');
  const isBlacklisted = lifecycle.contact_type === 'blacklisted';
  const before = lifecycle.type_before_blacklisting;
  return (
    <Stack gap="xs">
      <Text size="sm">
        {t(optsIn ? 'optIn.text' : 'optOut.text', { channel: t(`channelNames.${channel}`) })}
        {channel === 'email' && !optsIn && !isBlacklisted && ` ${t('optOut.blacklists')}`}
        {channel === 'email' &&
          optsIn &&
          isBlacklisted &&
          before !== null &&
          ` ${t('optIn.restores', { type: t(`types.${before}`) })}`}
      </Text>
      <Text size="sm">{t(optsIn ? 'optIn.consent' : 'optOut.undo')}</Text>
    </Stack>
  );
}
