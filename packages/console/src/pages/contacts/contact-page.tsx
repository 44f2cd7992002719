import type { ContactProfile } from '@roster/client';
import { Badge, Tabs } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useNavigate, useParams, useSearch } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { ApiCallButton } from '#components/actions/api-call-button.tsx';
import { Page } from '#components/layout/page.tsx';
import { useIsNarrow } from '#components/layout/use-is-narrow.ts';
import { MergeDialog } from '#components/merge/merge-dialog.tsx';
import { PageHeader } from '#components/layout/page-header.tsx';
import { QueryState } from '#components/states/query-state.tsx';
import { useAccount } from '#shell/account/use-account.ts';
import { useTexts } from '#texts/use-texts.ts';
import { AttributesPanel } from './contact/attributes-panel.tsx';
import styles from './contact/contact.module.css';
import { ContactActions } from './contact/contact-actions.tsx';
import { contactTabs, type ContactTab } from './contact/contact-search.ts';
import { SidePanel } from './contact/side-panel.tsx';
import { Timeline } from './contact/timeline.tsx';
import { nameOf } from './contact/name-of.ts';
import { useContactChange, useProfileQuery } from './contact/use-contact.ts';

const typeColors: Readonly<Record<ContactProfile['lifecycle']['contact_type'], string>> = {
  anonymous: 'gray',
  identified: 'indigo',
  unconfirmed: 'yellow',
  confirmed: 'teal',
  blacklisted: 'red',
};

/** The page /contacts/$contactId: one person, and what happened to them. */
export function ContactPage(): ReactNode {
  const t = useTexts('contact');
  const { accountId } = useAccount();
  const { contactId } = useParams({ from: '/signed-in/accounts/$accountId/contacts/$contactId' });
  const query = useQuery(useProfileQuery(Number(contactId)));
  const above = [{ label: t('contacts'), to: `/accounts/${accountId}/contacts` }];
  return (
    <Page>
      <QueryState query={query} head={<PageHeader title={t('number', { id: contactId })} above={above} />}>
        {(profile) => <Loaded profile={profile} above={above} />}
      </QueryState>
    </Page>
  );
}

function Loaded({
  profile,
  above,
}: {
  readonly profile: ContactProfile;
  readonly above: readonly { readonly label: string; readonly to: string }[];
}): ReactNode {
  const t = useTexts('contact');
  const { accountId, can } = useAccount();
  const isNarrow = useIsNarrow();
  const { tab } = useSearch({ from: '/signed-in/accounts/$accountId/contacts/$contactId' });
  const navigate = useNavigate({ from: '/accounts/$accountId/contacts/$contactId' });
  const changes = useContactChange(profile.contact_id, profile);
  const { contact_id: id, identity, email, lifecycle } = profile;
  const type = lifecycle.contact_type;
  const name = nameOf(profile, can('unmasked'));
  const usual: ContactTab = isNarrow ? 'details' : 'timeline';
  const details = <SidePanel profile={profile} changes={changes} />;
  return (
    <>
      <PageHeader
        title={identity ?? email ?? t('anonymous', { id })}
        text={name === undefined ? undefined : <bdi>{name}</bdi>}
        above={above}
        badge={
          <Badge variant="light" color={typeColors[type]} radius="sm" tt="none" fw={500}>
            {t(`types.${type}`)}
          </Badge>
        }
      >
        <ApiCallButton call={{ operation: 'getContact', path: { account_id: accountId, contact_id: id } }} />
        <ContactActions profile={profile} />
      </PageHeader>
      <div className={styles.layout}>
        <Tabs
          value={tab === 'details' && !isNarrow ? usual : (tab ?? usual)}
          keepMounted={false}
          onChange={(value) =>
            void navigate({
              search: (before) => ({
                ...before,
                tab: contactTabs.find((one) => one === value && one !== usual),
              }),
              replace: true,
            })
          }
        >
          <Tabs.List mb="md">
            {isNarrow && <Tabs.Tab value="details">{t('side.details')}</Tabs.Tab>}
            <Tabs.Tab value="timeline">{t('tabs.timeline')}</Tabs.Tab>
            <Tabs.Tab value="attributes">{t('tabs.attributes')}</Tabs.Tab>
          </Tabs.List>
          {isNarrow && <Tabs.Panel value="details">{details}</Tabs.Panel>}
          <Tabs.Panel value="timeline">
            <Timeline contactId={id} />
          </Tabs.Panel>
          <Tabs.Panel value="attributes">
            <AttributesPanel profile={profile} changes={changes} />
          </Tabs.Panel>
        </Tabs>
        {!isNarrow && details}
      </div>
      <MergeDialog conflict={changes.conflict} />
    </>
  );
}
