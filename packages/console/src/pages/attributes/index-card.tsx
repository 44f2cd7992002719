import type { OperatorAttribute } from '@roster/client';
import { Progress, Switch, Text } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { Card } from '#components/layout/card.tsx';
import { formatPercent } from '#components/values/format.ts';
import { useAccount } from '#shell/account/use-account.ts';
import { ProblemAlert } from '#components/actions/problem-alert.tsx';
import { useTexts } from '#texts/use-texts.ts';
import { useIndexProgress } from './attribute-cells.tsx';
import { attributesKey, usePrimaryKey } from './registry/use-attributes.ts';

/** The index of an attribute: its state, its progress, and the switch that adds or removes it. */
export function IndexCard({ attribute }: { readonly attribute: OperatorAttribute }): ReactNode {
  const t = useTexts('attributes');
  const { accountId, account, can } = useAccount();
  const client = useQueryClient();
  const { id, name, index_status: status } = attribute;
  const percent = useIndexProgress(id);
  const primaryKey = usePrimaryKey();
  const change = useMutation({
    mutationFn: (indexed: boolean) => account.attributes.index(id, indexed),
    async onSuccess(after) {
      client.setQueryData(['accounts', accountId, 'attributes', id], after);
      await client.invalidateQueries({ queryKey: attributesKey(accountId) });
    },
  });
  const reason =
    attribute.data_type === 'long_text' ? t('index.longText') : name === primaryKey ? t('index.key') : undefined;
  return (
    <Card title={t('columns.index')}>
      {reason === undefined ? (
        <Text size="sm" role="status">
          {t(`index.${status}`)}
        </Text>
      ) : (
        <Text size="sm">{reason}</Text>
      )}
      {status === 'building' && (
        <>
          <Progress
            value={percent ?? 100}
            animated={percent === undefined}
            size="sm"
            aria-label={t('index.building')}
          />
          {percent !== undefined && (
            <Text size="xs" c="dimmed">
              {t('index.percent', { percent: formatPercent(percent / 100, 0) })}
            </Text>
          )}
        </>
      )}
      {reason === undefined && can('attributes:write') && (
        <Switch
          label={t('index.wanted')}
          description={t('index.explanation')}
          checked={attribute.indexed}
          disabled={change.isPending}
          onChange={(event) => change.mutate(event.currentTarget.checked)}
        />
      )}
      <ProblemAlert error={change.error} />
    </Card>
  );
}
