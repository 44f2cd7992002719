import type { ReactNode } from 'react';
import { FirstOfSection } from '#components/layout/first-of-section.tsx';
import { useTexts } from '#texts/use-texts.ts';
import { usePrivacyPages } from './privacy-section.tsx';

/** The page /privacy: goes to the first page about privacy. */
export function PrivacyPage(): ReactNode {
  return <FirstOfSection title={useTexts('privacy')('title')} entries={usePrivacyPages()} />;
}
