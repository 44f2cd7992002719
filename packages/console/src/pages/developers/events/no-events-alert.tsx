import { Alert, Stack, Text } from '@mantine/core';
import { skipToken, useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { TextLink } from '#components/actions/links.tsx';
import { useAccount } from '#shell/account/use-account.ts';
import { useTexts } from '#texts/use-texts.ts';

/** Tells whether the account records no events. False while that is not known. */
export function useHasNoEvents(): boolean {
  const { accountId, account, can } = useAccount();
  const { data } = useQuery({
    queryKey: ['accounts', accountId, 'account'],
    queryFn: can('account:read') ? ({ signal }) => account.get({ signal }) : skipToken,
    select: ({ settings }) => settings.events,
  });
  return data === false;
}

/** Says that the account records no events, and leads to the setting. Nothing if it records them. */
export function NoEventsAlert(): ReactNode {
  const t = useTexts('developers');
  const { accountId, can } = useAccount();
  if (!useHasNoEvents()) return null;
  const mayChange = can('account:write');
  return (
    <Alert color="orange" title={t('subscriptions.noEvents.title')}>
      <Stack gap="xs" align="flex-start">
        <Text size="sm">{t(mayChange ? 'subscriptions.noEvents.text' : 'subscriptions.noEvents.ask')}</Text>
        {mayChange && (
          <TextLink
            to="/accounts/$accountId/settings/account"
            params={{ accountId }}
            size="sm"
            c="inherit"
            underline="always"
          >
            {t('subscriptions.noEvents.link')}
          </TextLink>
        )}
      </Stack>
    </Alert>
  );
}
