import { Anchor, Stack, Text } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useCallback, useEffect, type ReactNode } from 'react';
import { useProblemText } from '#components/actions/problem-alert.tsx';
import { cutText } from '#components/values/format.ts';
import { useTexts } from '#texts/use-texts.ts';

/** A change that can be undone. */
interface UndoableChange {
  /** Name of the field, as people see it. */
  readonly field: string;
  /** The value before the change, as people see it; empty if there was none. */
  readonly former: string;
  readonly onUndo: () => Promise<unknown>;
}

const id = 'undo-change';
/** Characters of the former value that the message shows. */
const shown = 80;

/**
 * Returns a function that says that a value is saved, shows the value before, and offers to restore
 * it. The message is there until the next change, for 20 seconds, or until the person leaves the
 * page.
 */
export function useUndoMessage(): (change: UndoableChange) => void {
  const t = useTexts('contact');
  const common = useTexts('common');
  const problemText = useProblemText();
  useEffect(() => () => void notifications.hide(id), []);
  return useCallback(
    ({ field, former, onUndo }) => {
      notifications.hide(id);
      notifications.show({
        id,
        title: t('undo.title', { field }),
        message: (
          <Undo
            text={former === '' ? t('undo.none') : t('undo.former', { value: cutText(former, shown) })}
            label={t('undo.action')}
            onUndo={() => {
              notifications.hide(id);
              // The message is gone with the focus. It goes to the button that edits the value.
              const edit = CSS.escape(t('attributes.edit', { name: field }));
              document.querySelector<HTMLElement>(`[aria-label="${edit}"]`)?.focus();
              onUndo().catch((error: unknown) => {
                notifications.show({ color: 'red', title: t('undo.failed', { field }), message: problemText(error) });
              });
            }}
          />
        ),
        closeButtonProps: { 'aria-label': common('actions.close') },
        autoClose: 20_000,
      });
    },
    [t, common, problemText],
  );
}

function Undo({
  text,
  label,
  onUndo,
}: {
  readonly text: string;
  readonly label: string;
  readonly onUndo: () => void;
}): ReactNode {
  return (
    <Stack gap={4} align="flex-start">
      <Text inherit dir="auto">
        {text}
      </Text>
      <Anchor component="button" type="button" size="sm" onClick={onUndo}>
        {label}
      </Anchor>
    </Stack>
  );
}
