import { Skeleton, Stack } from '@mantine/core';
import type { ReactNode } from 'react';

/** Skeletons of rows while data is loading. */
export function LoadingState({
  rows = 6,
  height = 18,
}: {
  readonly rows?: number;
  readonly height?: number;
}): ReactNode {
  return (
    <Stack gap="sm" py="sm" aria-busy="true">
      {Array.from({ length: rows }, (_, index) => (
        <Skeleton key={index} height={height} width={`${95 - ((index * 17) % 40)}%`} />
      ))}
    </Stack>
  );
}
