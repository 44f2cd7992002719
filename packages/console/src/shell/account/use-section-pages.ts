import type { SectionEntry } from '#components/layout/section-nav.tsx';
import { useTexts } from '#texts/use-texts.ts';
import { isVisibleTo, sectionPages } from './navigation.ts';
import { useAccount, usePerson } from './use-account.ts';

/** Returns the pages of a section of the account, for the links below the title. */
export function useSectionPages(section: keyof typeof sectionPages): readonly SectionEntry[] {
  const t = useTexts('shell');
  const { accountId, can } = useAccount();
  const isAdmin = usePerson()?.is_installation_admin === true;
  return sectionPages[section].map((page) => ({
    to: `/accounts/${accountId}${page.path}`,
    label: t(`pages.${page.id}`),
    isVisible: isVisibleTo(page, can, isAdmin),
  }));
}
