import './style-nonce.ts';
import 'virtual:mantine-styles.css';
import './global.css';
import { RouterProvider } from '@tanstack/react-router';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { queryClient, whenSignedOut } from '#api/query-client.ts';
import { sessionQuery } from '#api/session.ts';
import { startTexts } from '#texts/load-texts.ts';
import { Providers } from './providers.tsx';
import { router } from './router.tsx';

whenSignedOut(() => {
  // The next load of the route asks for the session, and goes to sign-in.
  queryClient.removeQueries({ queryKey: sessionQuery.queryKey });
  void router.invalidate();
});

// After an update of the service, chunks of the previous version do not exist. Load the new version.
addEventListener('vite:preloadError', (event) => {
  const last = Number(sessionStorage.getItem('roster-reloaded') ?? 0);
  if (Date.now() - last < 10_000) return;
  event.preventDefault();
  sessionStorage.setItem('roster-reloaded', String(Date.now()));
  location.reload();
});

// The first page needs it, whatever it is.
void queryClient.prefetchQuery(sessionQuery);
await startTexts();
createRoot(document.getElementById('root')!).render(
  <StrictMode>
    <Providers>
      <RouterProvider router={router} />
    </Providers>
  </StrictMode>,
);
