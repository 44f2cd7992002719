import type { ReactNode } from 'react';
import { FirstOfSection } from '#components/layout/first-of-section.tsx';
import { useTexts } from '#texts/use-texts.ts';
import { useSettingsPages } from './settings-section.tsx';

/** The page /settings: goes to the first page of the settings. */
export function SettingsPage(): ReactNode {
  return <FirstOfSection title={useTexts('settings')('title')} entries={useSettingsPages()} />;
}
