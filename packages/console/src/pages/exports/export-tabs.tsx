import { Tabs } from '@mantine/core';
import { useNavigate } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useAccount } from '#shell/account/use-account.ts';
import { useTexts } from '#texts/use-texts.ts';

/** Changes between the exports and the schedules. */
export function ExportTabs({ value }: { readonly value: 'exports' | 'schedules' }): ReactNode {
  const t = useTexts('exports');
  const shell = useTexts('shell');
  const { accountId } = useAccount();
  const navigate = useNavigate();
  return (
    <Tabs
      value={value}
      mb="sm"
      onChange={(next) => {
        const to = next === 'schedules' ? '/accounts/$accountId/exports/schedules' : '/accounts/$accountId/exports';
        void navigate({ to, params: { accountId } });
      }}
    >
      <Tabs.List aria-label={t('tabs')}>
        <Tabs.Tab value="exports">{shell('pages.exports')}</Tabs.Tab>
        <Tabs.Tab value="schedules">{shell('pages.schedules')}</Tabs.Tab>
      </Tabs.List>
      {/* Each tab is a page of its own. axe wants a panel for each tab. */}
      <Tabs.Panel value="exports">{null}</Tabs.Panel>
      <Tabs.Panel value="schedules">{null}</Tabs.Panel>
    </Tabs>
  );
}
