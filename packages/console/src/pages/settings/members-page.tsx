import { Button, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { UserPlus } from 'lucide-react';
import { useState, type ReactNode } from 'react';
import { ApiCallButton } from '#components/actions/api-call-button.tsx';
import { Page } from '#components/layout/page.tsx';
import { QueryState } from '#components/states/query-state.tsx';
import { useAccount } from '#shell/account/use-account.ts';
import { useTexts } from '#texts/use-texts.ts';
import { InvitationTable } from './members/invitation-table.tsx';
import { InviteDialog } from './members/invite-dialog.tsx';
import { invitationsKey, membersKey } from './members/keys.ts';
import { MemberTable } from './members/member-table.tsx';
import { RoleGuide } from './members/role-guide.tsx';
import { SettingsHeader } from './settings-section.tsx';

/** The page /settings/members: who may do what in the account. */
export function MembersPage(): ReactNode {
  const t = useTexts('settings');
  const { accountId, account, can } = useAccount();
  const [isInviting, setInviting] = useState(false);
  const path = { account_id: accountId };
  const members = useQuery({
    queryKey: membersKey(accountId),
    queryFn: ({ signal }) => account.members.list({ limit: 500, signal }).all(),
  });
  const invitations = useQuery({
    queryKey: invitationsKey(accountId),
    queryFn: ({ signal }) => account.invitations.list({ limit: 500, signal }).all(),
    enabled: can('members:read'),
  });

  return (
    <Page>
      <SettingsHeader title={t('members.title')} text={t('members.text')}>
        <ApiCallButton call={{ operation: 'listMembers', path }} />
        {can('members:write') && (
          <Button leftSection={<UserPlus size={14} aria-hidden />} onClick={() => setInviting(true)}>
            {t('members.invite')}
          </Button>
        )}
      </SettingsHeader>
      <QueryState query={members}>
        {(found) => (
          <Stack gap="xl">
            <MemberTable members={found} />
            <QueryState query={invitations}>
              {(open) =>
                open.length === 0 ? (
                  <Text size="sm" c="dimmed">
                    {t('members.noInvitations')}
                  </Text>
                ) : (
                  <InvitationTable invitations={open} />
                )
              }
            </QueryState>
            <RoleGuide />
          </Stack>
        )}
      </QueryState>
      <InviteDialog isOpen={isInviting} onClose={() => setInviting(false)} />
    </Page>
  );
}
