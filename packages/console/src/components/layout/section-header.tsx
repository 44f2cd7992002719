import type { ReactNode } from 'react';
import { PageHeader } from './page-header.tsx';
import { SectionNav, type SectionEntry } from './section-nav.tsx';

/** The title of a page of a section, with a text and actions. */
export interface SectionPageProps {
  readonly title: string;
  readonly text?: ReactNode;
  readonly children?: ReactNode;
}

/** The title of a page of a section, and the links to the other pages of the section. */
export function SectionHeader({
  label,
  entries,
  title,
  text,
  children,
}: SectionPageProps & { readonly label: string; readonly entries: readonly SectionEntry[] }): ReactNode {
  return (
    <>
      <PageHeader title={title} text={text}>
        {children}
      </PageHeader>
      <SectionNav label={label} entries={entries} />
    </>
  );
}
