import { ScrollArea, Stack, Table, Text, Title } from '@mantine/core';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import type { PreviewExportBody } from '@roster/client';
import type { ReactNode } from 'react';
import { QueryState } from '#components/states/query-state.tsx';
import { formatNumber } from '#components/values/format.ts';
import { useAccount } from '#shell/account/use-account.ts';
import { useTexts } from '#texts/use-texts.ts';

/** The first rows of the file of an export. `body` is undefined while no contacts are chosen. */
export function ExportPreviewTable({ body }: { readonly body: PreviewExportBody | undefined }): ReactNode {
  const t = useTexts('exports');
  const { accountId, account } = useAccount();
  const query = useQuery({
    queryKey: ['accounts', accountId, 'export-preview', body],
    queryFn: ({ signal }) => account.exports.preview(body!, { signal }),
    enabled: body !== undefined,
    placeholderData: keepPreviousData,
  });
  return (
    <Stack gap="xs" component="section" aria-label={t('preview.title')}>
      <Title order={2} size="h5">
        {t('preview.title')}
      </Title>
      <Text size="sm" c="dimmed">
        {t(body === undefined ? 'preview.waiting' : 'preview.text')}
      </Text>
      {body !== undefined && (
        <QueryState query={query}>
          {({ columns, rows, rows_total: total, is_estimate: isEstimate }) => (
            <>
              <Text size="sm" fw={500} aria-live="polite">
                {t(isEstimate ? 'preview.estimate' : 'preview.rows', { count: total, formatted: formatNumber(total) })}
              </Text>
              {rows.length === 0 ? (
                <Text size="sm">{t('preview.none')}</Text>
              ) : (
                <ScrollArea
                  type="auto"
                  viewportProps={{ tabIndex: 0, role: 'group', 'aria-label': t('preview.title') }}
                >
                  <Table withTableBorder striped fz="sm" style={{ whiteSpace: 'nowrap' }}>
                    <Table.Thead>
                      <Table.Tr>
                        {columns.map((name) => (
                          <Table.Th key={name}>{name}</Table.Th>
                        ))}
                      </Table.Tr>
                    </Table.Thead>
                    <Table.Tbody>
                      {rows.map((cells, row) => (
                        <Table.Tr key={row}>
                          {cells.map((cell, column) => (
                            <Table.Td key={columns[column]} maw={280}>
                              {cell === '' ? (
                                <Text span size="xs" c="dimmed" fs="italic">
                                  {t('preview.emptyCell')}
                                </Text>
                              ) : (
                                <Text span inherit truncate display="block" dir="auto">
                                  {cell.slice(0, 500)}
                                </Text>
                              )}
                            </Table.Td>
                          ))}
                        </Table.Tr>
                      ))}
                    </Table.Tbody>
                  </Table>
                </ScrollArea>
              )}
            </>
          )}
        </QueryState>
      )}
    </Stack>
  );
}
