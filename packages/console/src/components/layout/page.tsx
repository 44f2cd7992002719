import { Box } from '@mantine/core';
import type { ReactNode } from 'react';
import styles from './page.module.css';

/**
 * The space of one page. With `fill`, the page is as high as the window and its table scrolls. With
 * `width`, the content of a text page or form does not get too wide.
 */
export function Page({
  fill = false,
  width,
  children,
}: {
  readonly fill?: boolean;
  readonly width?: 'form' | 'text';
  readonly children: ReactNode;
}): ReactNode {
  return (
    <Box className={styles.page} data-fill={fill || undefined} data-width={width}>
      {children}
    </Box>
  );
}
