import { Card, Spoiler, Stack, Table, Text, Title } from '@mantine/core';
import type { Import } from '@roster/client';
import type { ReactNode } from 'react';
import { useReasons } from '#texts/use-reasons.ts';
import { useTexts } from '#texts/use-texts.ts';

/** What the columns of an import mean. */
export function ColumnsCard({ found }: { readonly found: Import }): ReactNode {
  const t = useTexts('imports');
  const reasonOf = useReasons();
  if (found.columns.length === 0) return null;
  const hasNotes = found.columns.some(({ note }) => note !== null);
  return (
    <Card withBorder>
      <Stack gap="sm">
        <Title order={2} size="h5">
          {t('mapping.title')}
        </Title>
        <Spoiler maxHeight={320} showLabel={t('result.showAll')} hideLabel={t('result.showLess')}>
          <Table.ScrollContainer minWidth={480} scrollAreaProps={{ viewportProps: { tabIndex: 0 } }}>
            <Table fz="sm" aria-label={t('mapping.title')}>
              <Table.Thead>
                <Table.Tr>
                  <Table.Th>{t('mapping.column')}</Table.Th>
                  <Table.Th>{t('mapping.writtenTo')}</Table.Th>
                  {hasNotes && <Table.Th>{t('mapping.note')}</Table.Th>}
                </Table.Tr>
              </Table.Thead>
              <Table.Tbody>
                {found.columns.map(({ header, field, data_type: type, is_new: isNew, note }, at) => (
                  // The same header can occur twice. The columns never change their order.
                  // eslint-disable-next-line react/no-array-index-key
                  <Table.Tr key={at}>
                    <Table.Td dir="auto">{header}</Table.Td>
                    <Table.Td>
                      {isNew ? t('mapping.newAttribute', { name: field ?? '' }) : (field ?? '–')}
                      {isNew && type !== null && ` (${t(`types.${type}`)})`}
                    </Table.Td>
                    {hasNotes && (
                      <Table.Td>
                        <Text size="sm" c="dimmed">
                          {note === null ? null : reasonOf(note)}
                        </Text>
                      </Table.Td>
                    )}
                  </Table.Tr>
                ))}
              </Table.Tbody>
            </Table>
          </Table.ScrollContainer>
        </Spoiler>
      </Stack>
    </Card>
  );
}
