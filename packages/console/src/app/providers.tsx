import { localStorageColorSchemeManager, MantineProvider } from '@mantine/core';
import { useNotifications } from '@mantine/notifications';
import { QueryClientProvider } from '@tanstack/react-query';
import { I18nextProvider } from 'react-i18next';
import { lazy, Suspense, type ReactNode } from 'react';
import { queryClient } from '#api/query-client.ts';
import { i18n } from '#texts/load-texts.ts';
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
    <Suspense>
      <Messages />
    </Suspense>
  );
}
