import { Button, Group, Modal, Stack, Text } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, type ReactNode } from 'react';
import { client } from '#api/client.ts';
import { setSessionEnded } from '#api/session-end.ts';
import { sessionQuery } from '#api/session.ts';
import { usePerson } from './use-account.ts';
import { useTexts } from '#texts/use-texts.ts';

/** Milliseconds between two questions whether the person has signed in again. */
const pollInterval = 1500;

/**
 * Says that the session has ended. It lies over the page, which keeps what the person has entered,
 * and closes when the same person has signed in again in another tab.
 */
export function SessionEndDialog(): ReactNode {
  const t = useTexts('shell');
  const person = usePerson();
  const cache = useQueryClient();
  const { data: session } = useQuery({
    queryKey: ['session', 'again'],
    queryFn: ({ signal }) => client.signIn.session({ signal }),
    refetchInterval: pollInterval,
    gcTime: 0,
  });
  const next = session?.person?.user_id;
  useEffect(() => {
    if (session === undefined || next === undefined) return;
    if (next !== person?.user_id) {
      // Another person must not see this page.
      location.reload();
      return;
    }
    cache.setQueryData(sessionQuery.queryKey, session);
    setSessionEnded(false);
    void cache.refetchQueries({ type: 'active', predicate: ({ state }) => state.status === 'error' });
  }, [session, next, person?.user_id, cache]);
  const here = location.pathname.replace(/^\/console/, '') + location.search;
  return (
    <Modal
      opened
      onClose={() => undefined}
      title={t('sessionEnd.title')}
      withCloseButton={false}
      closeOnEscape={false}
      closeOnClickOutside={false}
      // Above every dialog and menu of the page.
      zIndex={400}
      overlayProps={{ blur: 6 }}
    >
      <Stack>
        <Text size="sm" role="alert">
          {t('sessionEnd.text')}
        </Text>
        <Group justify="flex-end" gap="xs">
          <Button component="a" variant="default" href={`/console/sign-in?return_to=${encodeURIComponent(here)}`}>
            {t('sessionEnd.leave')}
          </Button>
          <Button component="a" href="/console/sign-in?return_to=%2Fsigned-in-again" target="_blank" data-autofocus>
            {t('sessionEnd.signIn')}
          </Button>
        </Group>
      </Stack>
    </Modal>
  );
}
