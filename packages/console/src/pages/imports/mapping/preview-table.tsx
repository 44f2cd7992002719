import { Table } from '@mantine/core';
import type { ReactNode } from 'react';
import { useTexts } from '#texts/use-texts.ts';
import styles from './mapping.module.css';

/** Wider files are shown in part. All columns are in the mapping. */
const shownColumns = 30;

/** The first rows of a file, as they are. */
export function PreviewTable({
  headers,
  rows,
}: {
  readonly headers: readonly string[];
  readonly rows: readonly (readonly string[])[];
}): ReactNode {
  const t = useTexts('imports');
  const shown = headers.slice(0, shownColumns);
  return (
    <Table.ScrollContainer
      minWidth={320}
      className={styles.preview}
      scrollAreaProps={{ viewportProps: { tabIndex: 0 } }}
    >
      <Table withTableBorder striped aria-label={t('preview.rows')} fz="sm">
        <Table.Thead>
          <Table.Tr>
            {shown.map((header, at) => (
              // A damaged file has the same header twice.
              // eslint-disable-next-line react/no-array-index-key
              <Table.Th key={at} className={styles.cell} dir="auto">
                {header}
              </Table.Th>
            ))}
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {rows.map((row, index) => (
            // The rows never change their order.
            // eslint-disable-next-line react/no-array-index-key
            <Table.Tr key={index}>
              {shown.map((_, at) => (
                // eslint-disable-next-line react/no-array-index-key
                <Table.Td key={at} className={styles.cell} dir="auto" title={row[at]}>
                  {row[at]}
                </Table.Td>
              ))}
            </Table.Tr>
          ))}
        </Table.Tbody>
        {headers.length > shown.length && (
          <Table.Caption>{t('preview.moreColumns', { count: headers.length - shown.length })}</Table.Caption>
        )}
      </Table>
    </Table.ScrollContainer>
  );
}
