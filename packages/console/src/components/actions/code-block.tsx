import { Code, Group } from '@mantine/core';
import type { ReactNode } from 'react';
import { CopyButton } from './copy-button.tsx';

/** Code to copy. The button is next to the code, so that it covers nothing of it. */
export function CodeBlock({
  code,
  isResult = false,
}: {
  readonly code: string;
  /** It takes the place of the form that made it, which had the focus. */
  readonly isResult?: boolean;
}): ReactNode {
  return (
    <Group gap={4} wrap="nowrap" align="flex-start">
      <Code block tabIndex={0} mah={360} flex={1} miw={0}>
        {code}
      </Code>
      <CopyButton value={code} autoFocus={isResult} />
    </Group>
  );
}
