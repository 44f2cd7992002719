import { Anchor, Collapse, Group, Stack, UnstyledButton } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { BookOpen, ChevronDown, type LucideIcon } from 'lucide-react';
import type { ReactNode } from 'react';
import { CodeBlock } from '#components/actions/code-block.tsx';
import { useTexts } from '#texts/use-texts.ts';
import { MessageState } from './message-state.tsx';

/** Shown where there is no data yet: what this is for, one action, the guide, and the curl. */
export function EmptyState({
  icon,
  title,
  text,
  action,
  guide,
  curl,
}: {
  readonly icon: LucideIcon;
  readonly title: string;
  /** What this is for. */
  readonly text: ReactNode;
  /** The primary action, usually a button. */
  readonly action?: ReactNode;
  /** Address of the guide. */
  readonly guide?: string;
  /** The command that does the same. */
  readonly curl?: string;
}): ReactNode {
  const t = useTexts('common');
  const [isOpen, { toggle }] = useDisclosure(false);
  return (
    <MessageState icon={icon} color="indigo" title={title} text={text}>
      {action}
      <Group gap="md" justify="center">
        {guide !== undefined && (
          <Anchor href={guide} target="_blank" rel="noreferrer" size="sm">
            <Group component="span" gap={6}>
              <BookOpen size={14} aria-hidden /> {t('empty.guide')}
            </Group>
          </Anchor>
        )}
        {curl !== undefined && (
          <UnstyledButton onClick={toggle} aria-expanded={isOpen} fz="sm" c="dimmed">
            <Group component="span" gap={6}>
              {t('empty.withCurl')} <ChevronDown size={14} aria-hidden />
            </Group>
          </UnstyledButton>
        )}
      </Group>
      {curl !== undefined && (
        <Stack w="100%" ta="left">
          <Collapse expanded={isOpen}>
            <CodeBlock code={curl} />
          </Collapse>
        </Stack>
      )}
    </MessageState>
  );
}
