import { Anchor, Stack, Text } from '@mantine/core';
import { notifications, type NotificationData } from '@mantine/notifications';
import { useRouter } from '@tanstack/react-router';
import { useCallback, type MouseEvent } from 'react';
import { useTexts } from '#texts/use-texts.ts';
import { useIsHere } from './use-is-here.ts';

/** A message in the corner that leads to a page. */
export interface LinkMessage {
  readonly id: string;
  readonly title: string;
  readonly text?: string | undefined;
  /** Text of the link. */
  readonly label: string;
  /** The page, such as `/accounts/1/imports`. */
  readonly to: string;
}

/** Returns a function that makes a message with a link. Show it with `notifications.show`. */
export function useLinkMessage(): (message: LinkMessage) => NotificationData & { readonly id: string } {
  const common = useTexts('common');
  const router = useRouter();
  return useCallback(
    ({ id, title, text, label, to }) => {
      function follow(event: MouseEvent): void {
        // The browser opens a new tab or window itself.
        if (event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
        event.preventDefault();
        notifications.hide(id);
        void router.navigate({ to });
      }
      return {
        id,
        title,
        // Messages are shown outside of the router, so its links do not work in them.
        message: (
          <Stack gap={4} align="flex-start">
            {text !== undefined && <Text inherit>{text}</Text>}
            <Anchor href={router.buildLocation({ to }).publicHref} size="sm" onClick={follow}>
              {label}
            </Anchor>
          </Stack>
        ),
        closeButtonProps: { 'aria-label': common('actions.close') },
        autoClose: 10_000,
      };
    },
    [router, common],
  );
}

/**
 * Returns a function that opens the page of something that was just made. A person who has left
 * meanwhile stays where they are, and gets a message with a link.
 */
export function useOpenMade(): (made: LinkMessage) => Promise<void> {
  const router = useRouter();
  const isHere = useIsHere();
  const linkMessage = useLinkMessage();
  return useCallback(
    async (made) => {
      if (isHere()) await router.navigate({ to: made.to });
      else notifications.show({ ...linkMessage(made), color: 'green' });
    },
    [router, isHere, linkMessage],
  );
}
