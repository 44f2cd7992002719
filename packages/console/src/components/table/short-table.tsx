import { Table, VisuallyHidden, type TableProps } from '@mantine/core';
import type { ReactNode } from 'react';

interface Props extends Pick<TableProps, 'verticalSpacing'> {
  readonly 'aria-label': string;
  /** Width in pixels below which the table scrolls. */
  readonly minWidth: number;
  /** The heads of the columns. */
  readonly heads: readonly string[];
  /** Head of a last column with buttons, which only screen readers read. */
  readonly actions?: string;
  /** The rows. */
  readonly children: ReactNode;
}

/** A table with few rows, such as the sessions of a person. Listings use `DataTable`. */
export function ShortTable({ minWidth, heads, actions, children, ...props }: Props): ReactNode {
  return (
    <Table.ScrollContainer minWidth={minWidth}>
      <Table {...props}>
        <Table.Thead>
          <Table.Tr>
            {heads.map((head) => (
              <Table.Th key={head}>{head}</Table.Th>
            ))}
            {actions !== undefined && (
              <Table.Th>
                <VisuallyHidden>{actions}</VisuallyHidden>
              </Table.Th>
            )}
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>{children}</Table.Tbody>
      </Table>
    </Table.ScrollContainer>
  );
}
