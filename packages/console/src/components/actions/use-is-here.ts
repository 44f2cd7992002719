import { useRouter } from '@tanstack/react-router';
import { useCallback, useEffect, useRef } from 'react';

/** Returns a function that tells whether the person is still at the component, and is not leaving its page. */
export function useIsHere(): () => boolean {
  const router = useRouter();
  const path = useRef<string | undefined>(undefined);
  useEffect(() => {
    path.current = router.latestLocation.pathname;
    return () => {
      path.current = undefined;
    };
  }, [router]);
  // The address changes first, and the page when its code and data are loaded.
  return useCallback(() => path.current === router.latestLocation.pathname, [router]);
}
