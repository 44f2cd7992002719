import { lazyRouteComponent } from '@tanstack/react-router';
import type { ComponentType, FunctionComponent } from 'react';
import { loadTexts, type Area } from '#texts/load-texts.ts';

/**
 * A page in its own chunk, which is loaded together with the texts of its areas:
 *
 *     component: lazyPage('home', () => import('./home-page.tsx'), 'HomePage')
 */
export function lazyPage<Name extends string, Module extends Record<Name, ComponentType>>(
  areas: Area | readonly Area[],
  load: () => Promise<Module>,
  name: Name,
): FunctionComponent & { preload?: () => Promise<void> } {
  return lazyRouteComponent<Record<Name, ComponentType>, Name>(
    async () => (await Promise.all([load(), ...[areas].flat().map((area) => loadTexts(area))]))[0],
    name,
  ) as FunctionComponent & { preload?: () => Promise<void> };
}
