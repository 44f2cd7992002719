import { Navigate } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { PlaceholderPage } from './placeholder-page.tsx';
import type { SectionEntry } from './section-nav.tsx';

/** Goes to the first page of a section that the person may see. */
export function FirstOfSection({
  title,
  entries,
}: {
  readonly title: string;
  readonly entries: readonly SectionEntry[];
}): ReactNode {
  const first = entries.find(({ isVisible }) => isVisible);
  return first === undefined ? <PlaceholderPage title={title} /> : <Navigate to={first.to} replace />;
}
