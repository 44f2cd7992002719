import { useIsFetching } from '@tanstack/react-query';
import { useRouterState } from '@tanstack/react-router';
import { useEffect, useEffectEvent } from 'react';

/** Calls `onIdle` when the first page and its data are there, and the browser has nothing to do. */
export function WhenIdle({ onIdle }: { readonly onIdle: () => void }): null {
  const isLoading = useRouterState({ select: (state) => state.isLoading });
  const isFetching = useIsFetching() > 0;
  const tell = useEffectEvent(onIdle);
  useEffect(() => {
    if (isLoading || isFetching) return undefined;
    // Safari has no requestIdleCallback.
    if (!('requestIdleCallback' in globalThis)) {
      const timer = setTimeout(tell, 500);
      return () => clearTimeout(timer);
    }
    const request = requestIdleCallback(() => tell());
    return () => cancelIdleCallback(request);
  }, [isLoading, isFetching]);
  return null;
}
