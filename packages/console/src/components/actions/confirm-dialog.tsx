import { Button, Group, Stack, Text, TextInput } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useState, type ReactNode } from 'react';
import { formatNumber } from '#components/values/format.ts';
import { useDialog } from './dialog-frame.ts';
import { CancelButton, Dialog } from './dialog.tsx';
import { ProblemAlert } from './problem-alert.tsx';
import { useTexts } from '#texts/use-texts.ts';

/** More affected contacts than this need a typed confirmation. */
const typedAbove = 100;

/**
 * Asks before something that cannot be undone. It shows the exact number of affected contacts. For
 * more than a hundred, the person types the number. With `word`, the person types this word.
 */
export function ConfirmDialog({
  isOpen,
  onClose,
  title,
  children,
  action,
  affected,
  word,
  isHarmless = false,
  isDisabled = false,
  hasEntries = false,
  onConfirm,
  onDone,
}: {
  readonly isOpen: boolean;
  readonly onClose: () => void;
  readonly title: string;
  /** What will happen. */
  readonly children?: ReactNode;
  /** Label of the button, such as “Delete 12 contacts”. */
  readonly action: string;
  /** Exact number of affected contacts; `counting` until it is known; absent if none can be. */
  readonly affected?: number | 'counting';
  readonly word?: string;
  /** It can easily be undone, so the button is not red. */
  readonly isHarmless?: boolean;
  /** Something that it needs is not entered yet. */
  readonly isDisabled?: boolean;
  /** The person has entered something in `children`, which closing the dialog would lose. */
  readonly hasEntries?: boolean;
  /** Does it. The dialog stays open while it runs, and shows its error. */
  readonly onConfirm: () => Promise<unknown>;
  /** Called after it is done, unless the page was left meanwhile. Goes to another page. */
  readonly onDone?: (() => void) | undefined;
}): ReactNode {
  return (
    <Dialog isOpen={isOpen} onClose={onClose} title={title}>
      {/* A new form for each opening, so that nothing is typed yet. */}
      {isOpen && (
        <ConfirmForm {...{ action, affected, word, isHarmless, isDisabled, hasEntries, onConfirm, onDone }}>
          {children}
        </ConfirmForm>
      )}
    </Dialog>
  );
}

function ConfirmForm({
  children,
  action,
  affected,
  word,
  isHarmless,
  isDisabled,
  hasEntries,
  onConfirm,
  onDone,
}: {
  readonly children?: ReactNode;
  readonly action: string;
  readonly affected: number | 'counting' | undefined;
  readonly word: string | undefined;
  readonly isHarmless: boolean;
  readonly isDisabled: boolean;
  readonly hasEntries: boolean;
  readonly onConfirm: () => Promise<unknown>;
  readonly onDone: (() => void) | undefined;
}): ReactNode {
  const t = useTexts('common');
  const [typed, setTyped] = useState('');
  const work = useMutation({ mutationFn: onConfirm, onSuccess: () => closeDone(onDone) });
  const { closeDone } = useDialog({ isRunning: work.isPending, hasEntries });
  const expected = word ?? (typeof affected === 'number' && affected > typedAbove ? String(affected) : undefined);
  const matches = expected === undefined || normal(typed) === normal(expected);

  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        if (matches && !isDisabled && affected !== 'counting') work.mutate();
      }}
    >
      <Stack>
        {typeof children === 'string' ? <Text size="sm">{children}</Text> : children}
        {affected === 'counting' && <Text size="sm">{t('confirm.counting')}</Text>}
        {typeof affected === 'number' && (
          <Text size="sm" fw={600}>
            {t('confirm.affected', { count: affected, formatted: formatNumber(affected) })}
          </Text>
        )}
        {expected !== undefined && (
          <TextInput
            label={word === undefined ? t('confirm.typeNumber', { number: expected }) : t('confirm.typeWord', { word })}
            value={typed}
            onChange={(event) => setTyped(event.currentTarget.value)}
            autoComplete="off"
            data-autofocus
          />
        )}
        <ProblemAlert error={work.error} />
        <Group justify="flex-end" gap="xs">
          <CancelButton data-autofocus={expected === undefined || undefined} />
          <Button
            type="submit"
            color={isHarmless ? undefined : 'red'}
            loading={work.isPending}
            disabled={!matches || isDisabled || affected === 'counting'}
          >
            {action}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}

/** Ignores what people type differently: spaces, separators of thousands, case. */
const normal = (text: string): string =>
  text
    .trim()
    .toLowerCase()
    .replaceAll(/(?<=\d)[\s.,'’](?=\d)/g, '');
