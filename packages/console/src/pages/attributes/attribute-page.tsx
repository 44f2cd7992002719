import type { OperatorAttribute } from '@roster/client';
import { Anchor, Badge, Button, Grid, SimpleGrid, Stack } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link, useNavigate, useParams } from '@tanstack/react-router';
import { Pencil } from 'lucide-react';
import { useState, type ReactNode } from 'react';
import { ApiCallButton } from '#components/actions/api-call-button.tsx';
import { TextLink } from '#components/actions/links.tsx';
import { Card } from '#components/layout/card.tsx';
import { Page } from '#components/layout/page.tsx';
import { PageHeader } from '#components/layout/page-header.tsx';
import { QueryState } from '#components/states/query-state.tsx';
import { DateTime } from '#components/values/date-time.tsx';
import { formatNumber } from '#components/values/format.ts';
import { KeyValues } from '#components/values/key-values.tsx';
import { StatTile } from '#components/values/stat-tile.tsx';
import { useAccount } from '#shell/account/use-account.ts';
import { useTexts } from '#texts/use-texts.ts';
import { shareText, ValueText } from './attribute-cells.tsx';
import { AttributeDialog, type ChosenAction } from './dialogs/attribute-dialogs.tsx';
import { AttributeMenu } from './attribute-menu.tsx';
import { IndexCard } from './index-card.tsx';
import { UsageCard } from './usage-card.tsx';
import {
  useAttributes,
  useContactTotal,
  useFrequentValues,
  usePrimaryKey,
  useUsage,
} from './registry/use-attributes.ts';
import { ValuesCard } from './values-card.tsx';

/** How often the state of an index is asked for while it is built, in milliseconds. */
const buildingInterval = 2000;

/** The page /attributes/$attributeId: one attribute, how full it is, its values, index and uses. */
export function AttributePage(): ReactNode {
  const t = useTexts('attributes');
  const { accountId, account, can } = useAccount();
  const { attributeId } = useParams({ from: '/signed-in/accounts/$accountId/attributes/$attributeId' });
  const navigate = useNavigate();
  const [chosen, setChosen] = useState<ChosenAction | undefined>(undefined);
  const id = Number(attributeId);
  const query = useQuery({
    queryKey: ['accounts', accountId, 'attributes', id],
    queryFn: ({ signal }) => account.attributes.get(id, { signal }),
    refetchInterval: ({ state }) => (state.data?.index_status === 'building' ? buildingInterval : false),
  });
  const attribute = query.data;
  return (
    <Page>
      <PageHeader
        title={attribute?.name ?? t('one')}
        above={[{ label: t('title'), to: `/accounts/${accountId}/attributes` }]}
        badge={
          attribute?.system === true ? (
            <Badge variant="default" tt="none" fw={500}>
              {t('system')}
            </Badge>
          ) : undefined
        }
      >
        <ApiCallButton
          call={{ operation: 'getAttribute', path: { account_id: accountId, attribute_id: attributeId } }}
        />
        {attribute !== undefined && can('attributes:write') && (
          <>
            <Button
              variant="default"
              leftSection={<Pencil size={14} aria-hidden />}
              onClick={() => setChosen({ action: 'edit', attribute })}
            >
              {t('edit.action')}
            </Button>
            <AttributeMenu attribute={attribute} onAction={(action, one) => setChosen({ action, attribute: one })} />
          </>
        )}
      </PageHeader>
      <QueryState query={query}>{(found) => <Content attribute={found} />}</QueryState>
      <AttributeDialog
        chosen={chosen}
        onClose={() => setChosen(undefined)}
        onDeleted={() => void navigate({ to: '/accounts/$accountId/attributes', params: { accountId }, search: {} })}
      />
    </Page>
  );
}

function Content({ attribute }: { readonly attribute: OperatorAttribute }): ReactNode {
  return (
    <>
      <Tiles attribute={attribute} />
      <Grid gap="md">
        <Grid.Col span={{ base: 12, md: 7 }}>
          <ValuesCard attribute={attribute} />
        </Grid.Col>
        <Grid.Col span={{ base: 12, md: 5 }}>
          <Stack>
            <Definition attribute={attribute} />
            <IndexCard attribute={attribute} />
            <UsageCard attributeId={attribute.id} />
          </Stack>
        </Grid.Col>
      </Grid>
    </>
  );
}

function Tiles({ attribute }: { readonly attribute: OperatorAttribute }): ReactNode {
  const t = useTexts('attributes');
  const { accountId, can } = useAccount();
  const { id, name, filled } = attribute;
  const total = useContactTotal();
  const primaryKey = usePrimaryKey();
  const values = useFrequentValues(attribute).data;
  const uses = useUsage(id).data?.usage.length;
  const share = total === undefined || total === 0 ? undefined : Math.min(1, filled / total);
  const without = total === undefined ? undefined : Math.max(0, total - filled);
  const isSearchable =
    name !== primaryKey && can('contacts:read') && (attribute.data_masking === 'none' || can('unmasked'));
  const linkTo = (operation: 'is_null' | 'is_not_null', text: string): ReactNode =>
    isSearchable ? (
      <TextLink
        to="/accounts/$accountId/contacts"
        params={{ accountId }}
        search={{ filter: ['and', ['and', [name, operation]]] }}
        inherit
      >
        {text}
      </TextLink>
    ) : (
      text
    );
  return (
    <SimpleGrid cols={{ base: 2, md: 4 }} spacing="md">
      <StatTile
        label={t('tiles.filled')}
        value={formatNumber(filled)}
        {...(share !== undefined && { share })}
        note={
          share === undefined
            ? undefined
            : linkTo(
                'is_not_null',
                t('tiles.share', { count: total!, share: shareText(share), total: formatNumber(total!) }),
              )
        }
      />
      <StatTile
        label={t('tiles.without')}
        value={without === undefined ? '–' : formatNumber(without)}
        note={without === undefined || without === 0 ? undefined : linkTo('is_null', t('tiles.show'))}
      />
      <StatTile label={t('tiles.uses')} value={uses === undefined ? '–' : formatNumber(uses)} />
      <StatTile
        label={t('tiles.values')}
        value={values === undefined ? '–' : formatNumber(values.distinct_values)}
        note={
          values?.estimated === true ? t('tiles.sample', { sample: formatNumber(values.sample_size ?? 0) }) : undefined
        }
      />
    </SimpleGrid>
  );
}

function Definition({ attribute }: { readonly attribute: OperatorAttribute }): ReactNode {
  const t = useTexts('attributes');
  const { accountId } = useAccount();
  const { data: all } = useAttributes();
  const { name, data_type: type, default_value: value, mapping, data_masking: mask } = attribute;
  const target = all?.find((one) => one.system && one.name === mapping);
  const source = all?.find((one) => one.mapping === name);
  const linkTo = (one: OperatorAttribute): ReactNode => (
    <Anchor component={Link} to={`/accounts/${accountId}/attributes/${one.id}`} inherit>
      {one.name}
    </Anchor>
  );
  return (
    <Card title={t('definition')}>
      <KeyValues
        entries={[
          [t('columns.type'), t(`types.${type}`)],
          [t('category.label'), t(`category.${attribute.category}`)],
          [t('columns.default'), value === null ? null : <ValueText key="default" type={type} value={value} />],
          [t('columns.masking'), t(`masks.${mask}`)],
          [t('columns.mapping'), target === undefined ? mapping : linkTo(target)],
          [t('mapping.from'), source === undefined ? undefined : linkTo(source)],
          [t('columns.created'), <DateTime key="created" value={attribute.created_at} />],
          [t('columns.updated'), <DateTime key="updated" value={attribute.updated_at} />],
        ]}
      />
    </Card>
  );
}
