import './style-nonce.ts';
import 'virtual:mantine-styles.css';
import './global.css';
import { RouterProvider } from '@tanstack/react-router';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { whenSignedOut } from '#api/client.ts';
import { noteMissingCode } from '#api/missing-code.ts';
import { queryClient } from '#api/query-client.ts';
import { setSessionEnded } from '#api/session-end.ts';
import { sessionQuery, whenSignedOutElsewhere } from '#api/session.ts';
import { returnFocusToEnabled } from '#components/focus/return-to-enabled.ts';
import { takeFirstOption } from '#components/inputs/take-first-option.ts';
import { startTexts } from '#texts/load-texts.ts';
import { Providers } from './providers.tsx';
import { router } from './router.tsx';

whenSignedOut(() => {
  if (queryClient.getQueryData(sessionQuery.queryKey)?.person != null) {
    setSessionEnded(true);
    return;
  }
  // The next load of the route asks for the session, and goes to sign-in.
  queryClient.removeQueries({ queryKey: sessionQuery.queryKey });
  void router.invalidate();
});

// Nothing of the person stays on the screen. A page with unsaved changes asks first.
whenSignedOutElsewhere(() => location.assign('/console/sign-in'));

// The failed page says so, and loads again when the service answers.
addEventListener('vite:preloadError', ({ payload }) => noteMissingCode(payload));

returnFocusToEnabled();
takeFirstOption();

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
