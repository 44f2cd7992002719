import { CloseButton, Group, localStorageColorSchemeManager, MantineProvider, Paper, Stack, Text } from '@mantine/core';
import { notifications as shown, useNotifications, type NotificationData } from '@mantine/notifications';
import { QueryClientProvider } from '@tanstack/react-query';
import { I18nextProvider } from 'react-i18next';
import { lazy, type ReactNode } from 'react';
import { queryClient } from '#api/query-client.ts';
import { SeparatePart } from '#components/parts/separate-part.tsx';
import { i18n } from '#texts/load-texts.ts';
import { useTexts } from '#texts/use-texts.ts';
import { styleNonce } from './style-nonce.ts';
import { cssVariables, theme } from './theme.ts';

// The same key as in public/first-paint.js.
const colorSchemeManager = localStorageColorSchemeManager({ key: 'roster-color-scheme' });

// Loaded with the first message.
const Messages = lazy(async () => ({ default: (await import('./messages.tsx')).Messages }));

/** Everything that all pages need. */
export function Providers({ children }: { readonly children: ReactNode }): ReactNode {
  return (
    <I18nextProvider i18n={i18n}>
      <QueryClientProvider client={queryClient}>
        <MantineProvider
          theme={theme}
          cssVariablesResolver={cssVariables}
          defaultColorScheme="auto"
          colorSchemeManager={colorSchemeManager}
          getStyleNonce={() => styleNonce}
        >
          {children}
          <MessagesIfAny />
        </MantineProvider>
      </QueryClientProvider>
    </I18nextProvider>
  );
}

function MessagesIfAny(): ReactNode {
  const { notifications, queue } = useNotifications();
  if (notifications.length + queue.length === 0) return null;
  return (
    <SeparatePart failure={<PlainMessages messages={notifications} />}>
      <Messages />
    </SeparatePart>
  );
}

/** Shows messages without the code that draws them in the corner. */
function PlainMessages({ messages }: { readonly messages: readonly NotificationData[] }): ReactNode {
  const t = useTexts('common');
  return (
    <Stack pos="fixed" bottom={16} right={16} gap="xs" maw={440} style={{ zIndex: 400 }}>
      {messages.map(({ id, title, message }) => (
        <Paper key={id} withBorder p="sm" role="alert">
          <Group justify="space-between" align="start" wrap="nowrap">
            <div>
              <Text size="sm" fw={500}>
                {title}
              </Text>
              <Text size="sm">{message}</Text>
            </div>
            <CloseButton aria-label={t('actions.close')} onClick={() => shown.hide(id!)} />
          </Group>
        </Paper>
      ))}
    </Stack>
  );
}
