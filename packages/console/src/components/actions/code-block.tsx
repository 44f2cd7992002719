import { Box, Code } from '@mantine/core';
import type { ReactNode } from 'react';
import { CopyButton } from './copy-button.tsx';

/** Code to copy. */
export function CodeBlock({ code }: { readonly code: string }): ReactNode {
  return (
    <Box pos="relative">
      <Code block tabIndex={0} mah={360} pr={44}>
        {code}
      </Code>
      <Box pos="absolute" top={6} right={6}>
        <CopyButton value={code} />
      </Box>
    </Box>
  );
}
