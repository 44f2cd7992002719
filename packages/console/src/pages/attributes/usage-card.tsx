import type { AttributeUse } from '@roster/client';
import { Anchor, List, Text } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { Card } from '#components/layout/card.tsx';
import { QueryState } from '#components/states/query-state.tsx';
import { useAccount } from '#shell/account/use-account.ts';
import { useTexts } from '#texts/use-texts.ts';
import { useUsage } from './use-attributes.ts';

/** What uses an attribute. */
export function UsageCard({ attributeId }: { readonly attributeId: number }): ReactNode {
  const t = useTexts('attributes');
  const usage = useUsage(attributeId);
  return (
    <Card title={t('uses.title')}>
      <QueryState query={usage}>
        {({ usage: uses }) =>
          uses.length === 0 ? (
            <Text size="sm" c="dimmed">
              {t('uses.none')}
            </Text>
          ) : (
            <UseList uses={uses} />
          )
        }
      </QueryState>
    </Card>
  );
}

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
    case 'import':
      return `imports/${id}`;
    case 'bulk_change':
      return `contacts/bulk-changes/${id}`;
  }
}
