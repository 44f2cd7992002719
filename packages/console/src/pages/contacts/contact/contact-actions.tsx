import type { ContactProfile } from '@roster/client';
import { ActionIcon, Alert, Menu } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { notifications } from '@mantine/notifications';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { Download, Ellipsis, Lock, LockOpen, Trash2 } from 'lucide-react';
import type { ReactNode } from 'react';
import { problemOf } from '#api/problem.ts';
import { ConfirmDialog } from '#components/actions/confirm-dialog.tsx';
import { useLinkMessage } from '#components/actions/link-message.tsx';
import { useIsHere } from '#components/actions/use-is-here.ts';
import { downloadPerson } from '#api/download-person.ts';
import { useAccount } from '#shell/account/use-account.ts';
import { useProblemText } from '#components/actions/problem-alert.tsx';
import { useTexts } from '#texts/use-texts.ts';

/** What can be done with a contact as a whole: export, block, erase. */
export function ContactActions({ profile }: { readonly profile: ContactProfile }): ReactNode {
  const t = useTexts('contact');
  const problemText = useProblemText();
  const linkMessage = useLinkMessage();
  const { accountId, account, can } = useAccount();
  const client = useQueryClient();
  const navigate = useNavigate();
  const isHere = useIsHere();
  const [isErasing, { open, close }] = useDisclosure(false);
  const { contact_id: id } = profile;
  // A copy for the person must be complete, so it has no masks.
  const mayExport = can('unmasked') || profile.attributes.every(({ data_masking: mask }) => mask === 'none');
  const isBlocked = profile.lifecycle.contact_type === 'blacklisted';
  const key = ['accounts', accountId, 'contacts', id];
  const sayProblem = (error: unknown): void =>
    void notifications.show({ withCloseButton: false, color: 'red', message: problemText(error) });
  const download = useMutation({ mutationFn: () => downloadPerson(account, id), onError: sayProblem });
  const block = useMutation({
    mutationFn: () => (isBlocked ? account.contacts.unblock(id) : account.contacts.block(id)),
    async onSuccess() {
      await client.invalidateQueries({ queryKey: key });
      notifications.show({ withCloseButton: false, message: t(isBlocked ? 'actions.unblocked' : 'actions.blocked') });
    },
    onError: sayProblem,
  });

  const sayErased = (title: string, text: string, to: string): void =>
    void notifications.show(linkMessage({ id: `erased-${id}`, title, text, label: t('actions.showErasure'), to }));

  async function erase(): Promise<void> {
    const erasures = `/accounts/${accountId}/privacy/erasures`;
    try {
      const { request_id: erasureId } = await account.contacts.erase(id);
      sayErased(t('actions.erased', { id }), t('actions.erasedText'), `${erasures}?erasure=${erasureId}`);
    } catch (error) {
      // The answer was lost and the client repeated the request, or somebody else was faster.
      if (problemOf(error).kind !== 'notFound') throw error;
      sayErased(t('actions.erasedBefore', { id }), t('actions.erasedBeforeText'), erasures);
    }
    client.removeQueries({ queryKey: ['accounts', accountId, 'contacts'] });
    if (isHere()) await navigate({ to: '/accounts/$accountId/contacts', params: { accountId } });
  }

  return (
    <>
      <Menu position="bottom-end">
        <Menu.Target>
          <ActionIcon
            variant="default"
            size={30}
            aria-label={t('actions.menu')}
            loading={block.isPending || download.isPending}
          >
            <Ellipsis size={16} aria-hidden />
          </ActionIcon>
        </Menu.Target>
        <Menu.Dropdown>
          {can('privacy:write') && !mayExport && (
            <Menu.Item disabled leftSection={<Download size={14} aria-hidden />}>
              {t('actions.exportMasked')}
            </Menu.Item>
          )}
          {can('privacy:write') && mayExport && (
            <Menu.Item leftSection={<Download size={14} aria-hidden />} onClick={() => download.mutate()}>
              {t('actions.export')}
            </Menu.Item>
          )}
          {can('contacts:write') && (
            <Menu.Item
              leftSection={isBlocked ? <LockOpen size={14} aria-hidden /> : <Lock size={14} aria-hidden />}
              onClick={() => block.mutate()}
            >
              {t(isBlocked ? 'actions.unblock' : 'actions.block')}
            </Menu.Item>
          )}
          {can('privacy:write') && (
            <>
              <Menu.Divider />
              <Menu.Item c="red" leftSection={<Trash2 size={14} aria-hidden />} onClick={open}>
                {t('actions.erase')}
              </Menu.Item>
            </>
          )}
        </Menu.Dropdown>
      </Menu>
      <ConfirmDialog
        isOpen={isErasing}
        onClose={close}
        title={t('actions.eraseTitle')}
        action={t('actions.erase')}
        word={profile.identity ?? profile.email ?? String(id)}
        onConfirm={erase}
      >
        <Alert color="red" variant="light">
          {t('actions.eraseText')}
        </Alert>
      </ConfirmDialog>
    </>
  );
}
