import { Navigate } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { ForbiddenState } from '#components/states/forbidden-state.tsx';
import { PageHeader } from './page-header.tsx';
import { Page } from './page.tsx';
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
  if (first !== undefined) return <Navigate to={first.to} replace />;
  return (
    <Page>
      <PageHeader title={title} />
      <ForbiddenState />
    </Page>
  );
}
