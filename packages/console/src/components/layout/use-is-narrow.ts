import { useMatches } from '@mantine/core';

/** Tells whether the window is as narrow as a phone. Then tables show less next to each other. */
export function useIsNarrow(): boolean {
  return useMatches({ base: true, sm: false }, { getInitialValueInEffect: false });
}
