import { ActionIcon, Tooltip } from '@mantine/core';
import { useClipboard } from '@mantine/hooks';
import { Check, Copy } from 'lucide-react';
import type { ReactNode } from 'react';
import { useTexts } from '#texts/use-texts.ts';

/** Copies a text to the clipboard. */
export function CopyButton({
  value,
  label,
  autoFocus = false,
}: {
  readonly value: string;
  readonly label?: string;
  readonly autoFocus?: boolean;
}): ReactNode {
  const t = useTexts('common');
  const clipboard = useClipboard({ timeout: 1500 });
  const name = clipboard.copied ? t('actions.copied') : (label ?? t('actions.copy'));
  return (
    <Tooltip label={name}>
      <ActionIcon
        variant="subtle"
        color="gray"
        size="sm"
        aria-label={name}
        autoFocus={autoFocus}
        onClick={() => clipboard.copy(value)}
      >
        {clipboard.copied ? <Check size={14} /> : <Copy size={14} />}
      </ActionIcon>
    </Tooltip>
  );
}
