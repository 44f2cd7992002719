import type { ReactNode } from 'react';
import { FirstOfSection } from '#components/layout/first-of-section.tsx';
import { useTexts } from '#texts/use-texts.ts';
import { useDeveloperPages } from './section/developers-section.tsx';

/** The page /developers: goes to the first page for developers. */
export function DevelopersPage(): ReactNode {
  return <FirstOfSection title={useTexts('developers')('title')} entries={useDeveloperPages()} />;
}
