import { ScrollArea, Stack, Table, Text, Title } from '@mantine/core';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import type { ExportPreview, PreviewExportBody } from '@roster/client';
import type { ReactNode } from 'react';
import { problemOf } from '#api/problem.ts';
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
          {({ columns, rows, ...size }) => (
            <>
              <FileSize body={body} size={size} isOld={query.isPlaceholderData} />
              <OptedOut body={body} />
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

/** Says how many people in the file opted out of e-mail, if the export leaves nobody out. */
function OptedOut({
  body: { attributes: _attributes, unmasked: _unmasked, ...contacts },
}: {
  readonly body: PreviewExportBody;
}): ReactNode {
  const t = useTexts('exports');
  const { accountId, account } = useAccount();
  const leavesNobodyOut = contacts.blocklist_type === undefined;
  const { data } = useQuery({
    queryKey: ['accounts', accountId, 'export-preview', 'opted-out', contacts],
    async queryFn({ signal }) {
      const count = async (leftOut: Pick<PreviewExportBody, 'blocklist_type'>) =>
        (await account.exports.preview({ ...contacts, ...leftOut, get_count: true }, { signal })).rows_total;
      const [all, others] = await Promise.all([count({}), count({ blocklist_type: 'email' })]);
      return all - others;
    },
    enabled: leavesNobodyOut,
    staleTime: 30_000,
  });
  if (!leavesNobodyOut || data === undefined || data <= 0) return null;
  return (
    <Text size="sm" role="status">
      {t('preview.optedOut', { count: data, formatted: formatNumber(data) })}
    </Text>
  );
}

/**
 * The exact number of rows of the whole file. If the preview has only an estimate, the rows are
 * counted by a second request, because that can take seconds. If that fails, the estimate is shown.
 */
function FileSize({
  body: { attributes: _attributes, unmasked: _unmasked, ...contacts },
  size,
  isOld,
}: {
  readonly body: PreviewExportBody;
  readonly size: Pick<ExportPreview, 'rows_total' | 'is_estimate'>;
  /** The size is that of another body, whose preview is still shown. */
  readonly isOld: boolean;
}): ReactNode {
  const t = useTexts('exports');
  const filter = useTexts('filter');
  const { accountId, account } = useAccount();
  const { data, error, isPlaceholderData } = useQuery({
    queryKey: ['accounts', accountId, 'export-preview', 'count', contacts],
    queryFn: async ({ signal }) =>
      (await account.exports.preview({ ...contacts, get_count: true }, { signal })).rows_total,
    enabled: size.is_estimate && !isOld,
    placeholderData: keepPreviousData,
    staleTime: 30_000,
  });
  const total = size.is_estimate ? data : size.rows_total;
  const rows = (kind: 'rows' | 'estimate', count: number): string =>
    t(`preview.${kind}`, { count, formatted: formatNumber(count) });
  const isCounting = isOld || (size.is_estimate && isPlaceholderData);
  const failed = filter(error !== null && problemOf(error).kind === 'slow' ? 'count.slow' : 'count.failed');
  return (
    <Text size="sm" fw={500} role="status" c={isCounting && error === null ? 'dimmed' : undefined}>
      {size.is_estimate && error !== null
        ? `${failed}. ${rows('estimate', size.rows_total)}`
        : total === undefined
          ? filter('count.counting')
          : rows('rows', total)}
    </Text>
  );
}
