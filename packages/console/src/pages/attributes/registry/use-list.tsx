import type { AttributeUse } from '@roster/client';
import { Anchor, List, Text } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useAccount } from '#shell/account/use-account.ts';
import { useTexts } from '#texts/use-texts.ts';

/** The uses of an attribute, with links. */
export function UseList({ uses }: { readonly uses: readonly AttributeUse[] }): ReactNode {
  const t = useTexts('attributes');
  const { accountId } = useAccount();
  return (
    <List size="sm" spacing={4} style={{ overflowWrap: 'anywhere' }}>
      {uses.map((use) => (
        <List.Item key={`${use.feature} ${use.id}`}>
          <Text component="span" inherit c="dimmed">
            {t(`uses.features.${use.feature}`)}:
          </Text>{' '}
          <Anchor component={Link} to={`/accounts/${accountId}/${pathOf(use)}`} inherit>
            <bdi>{use.name}</bdi>
          </Anchor>
        </List.Item>
      ))}
    </List>
  );
}

/** Returns the page of a use, below that of the account. */
function pathOf({ feature, id }: AttributeUse): string {
  switch (feature) {
    case 'segment':
      return `audiences/segments/${id}`;
    case 'primary_key':
      return 'settings/account';
    case 'mapping':
      return `attributes/${id}`;
    case 'export':
      return `exports/${id}`;
    case 'export_schedule':
      return 'exports/schedules';
    case 'event_subscription':
      return `developers/subscriptions/${id}`;
    case 'import':
      return `imports/${id}`;
    case 'bulk_change':
      return `contacts/bulk-changes/${id}`;
    case 'saved_view':
      return 'contacts';
  }
}
