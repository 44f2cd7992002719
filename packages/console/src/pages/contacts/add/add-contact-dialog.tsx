import { Alert, Button, Group, MultiSelect, SimpleGrid, Stack, Text, TextInput } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import type { RequestFailure } from '@roster/client';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState, type ReactNode } from 'react';
import { problemOf } from '#api/problem.ts';
import { reloadContactData } from '#api/contact-data.ts';
import { useDialog } from '#components/actions/dialog-frame.ts';
import { CancelButton, Dialog } from '#components/actions/dialog.tsx';
import { ProblemAlert } from '#components/actions/problem-alert.tsx';
import { whenApplied } from '#components/work/when-applied.ts';
import { useFilterSources } from '#components/filter/filter-sources.tsx';
import { fieldLabel } from '#components/filter/filter-words.ts';
import { TypedValueInput } from '#components/inputs/typed-value-input.tsx';
import { useAccountDetail } from '#shell/account/use-account-detail.ts';
import { useAccount } from '#shell/account/use-account.ts';
import { useReasons } from '#texts/use-reasons.ts';
import { useTexts } from '#texts/use-texts.ts';
import { emptyContact, findByIdentity, inputOf, newContactOf, type ContactDraft } from './new-contact.ts';

/** Attributes that most accounts use. The others can be filled in on the page of the contact. */
const usualAttributes = ['FIRST_NAME', 'LAST_NAME', 'CITY'];

/** What became of a contact that a person wants to add. */
type Result =
  /** Nothing was sent, because the contact exists. */
  | { readonly state: 'exists'; readonly contactId: number }
  | { readonly state: 'refused'; readonly failures: readonly RequestFailure[] }
  | { readonly state: 'waiting' }
  | { readonly state: 'done'; readonly warnings: readonly RequestFailure[]; readonly contactId: number | undefined };

/** Adds one contact. If it exists, the person decides whether it gets the values. */
export function AddContactDialog({
  onClose,
  onOpen,
}: {
  readonly onClose: () => void;
  /** Opens the page of a contact. */
  readonly onOpen: (contactId: number) => void;
}): ReactNode {
  const t = useTexts('contacts');
  return (
    <Dialog isOpen onClose={onClose} size="lg" title={t('add.title')}>
      <AddContactForm onOpen={onOpen} />
    </Dialog>
  );
}

function AddContactForm({ onOpen }: { readonly onOpen: (contactId: number) => void }): ReactNode {
  const t = useTexts('contacts');
  const filterTexts = useTexts('filter');
  const reasonOf = useReasons();
  const { accountId, account } = useAccount();
  const queries = useQueryClient();
  const { fields, lists } = useFilterSources();
  const refusesExisting = useAccountDetail().data?.settings.reject_existing_contacts === true;
  const [draft, setDraft] = useState(emptyContact);
  const isMasked = fields.byName.get('identity')?.isMasked === true;
  const { primaryKey } = fields;
  const keyField = primaryKey === 'EMAIL' ? 'email' : primaryKey === 'MOBILE' ? 'mobile' : 'identity';
  const keyLabel = fieldLabel(filterTexts, keyField, fields);
  const attributes = usualAttributes.flatMap((name) => {
    const field = fields.byName.get(name);
    return field?.attribute === undefined || field.isMasked ? [] : field.attribute;
  });

  const add = useMutation({
    async mutationFn({ mayExist }: { readonly mayExist: boolean }): Promise<Result> {
      // A masked identity cannot be searched for.
      const find = async () => (isMasked ? undefined : findByIdentity(account, draft.identity));
      const existing = mayExist ? undefined : await find();
      if (existing !== undefined) return { state: 'exists', contactId: existing };
      const { requests } = await account.asApiKey.contacts.create([newContactOf(draft)]);
      const applied = await whenApplied(account, requests[0]!);
      return applied.state === 'done' ? { ...applied, contactId: await find() } : applied;
    },
    async onSuccess(result, { mayExist }) {
      if (result.state === 'exists' || result.state === 'refused') return;
      const left = result.state === 'done' ? result.warnings : [];
      notifications.show({
        withCloseButton: left.length > 0,
        ...(left.length > 0 && { color: 'yellow', autoClose: false, title: t('add.leftOut') }),
        message:
          left.length > 0
            ? left.map(({ field, message }) => `${inputOf(field)}: ${reasonOf(message)}`).join(' ')
            : t(result.state === 'waiting' ? 'add.waiting' : mayExist ? 'add.merged' : 'add.added'),
      });
      await reloadContactData(queries, accountId);
      dialog.closeDone(() => {
        if (result.state === 'done' && result.contactId !== undefined) onOpen(result.contactId);
      });
    },
  });
  const dialog = useDialog({
    isRunning: add.isPending,
    hasEntries: JSON.stringify(draft) !== JSON.stringify(emptyContact),
  });
  const change = (next: Partial<ContactDraft>): void => {
    setDraft({ ...draft, ...next });
    // What was said about the last values is old.
    add.reset();
  };

  const refused = add.data?.state === 'refused' ? add.data.failures : [];
  const faults = [...problemOf(add.error).faults, ...refused].map(({ field, message }) => ({
    input: inputOf(field),
    text: reasonOf(message),
  }));
  const inputs = new Set(['email', 'mobile', 'identity', ...attributes.map(({ name }) => name)]);
  const faultOf = (...names: readonly string[]) => faults.find(({ input }) => names.includes(input))?.text;
  const others = faults.filter(({ input }) => !inputs.has(input));
  const existing = add.data?.state === 'exists' ? add.data.contactId : undefined;
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        if (!add.isPending) add.mutate({ mayExist: false });
      }}
    >
      <Stack>
        <Text size="sm" c="dimmed">
          {t('add.text', { key: keyLabel })}
        </Text>
        <SimpleGrid cols={{ base: 1, xs: 2 }} style={{ alignItems: 'start' }}>
          <TextInput
            label={keyLabel}
            required
            maxLength={255}
            {...(keyField === 'mobile' && { type: 'tel', description: t('add.mobileHint') })}
            {...(keyField === 'email' && { type: 'email' })}
            autoComplete="off"
            data-autofocus
            value={draft.identity}
            error={faultOf('identity', keyField, primaryKey)}
            onChange={(event) => change({ identity: event.currentTarget.value })}
          />
          {keyField !== 'email' && (
            <TextInput
              label={fieldLabel(filterTexts, 'email', fields)}
              type="email"
              maxLength={254}
              autoComplete="off"
              value={draft.email}
              error={faultOf('email')}
              onChange={(event) => change({ email: event.currentTarget.value })}
            />
          )}
          {keyField !== 'mobile' && (
            <TextInput
              label={fieldLabel(filterTexts, 'mobile', fields)}
              description={t('add.mobileHint')}
              inputWrapperOrder={['label', 'input', 'description', 'error']}
              type="tel"
              maxLength={30}
              autoComplete="off"
              value={draft.mobile}
              error={faultOf('mobile')}
              onChange={(event) => change({ mobile: event.currentTarget.value })}
            />
          )}
          {attributes.map(({ name, data_type: type }) => (
            <TypedValueInput
              key={name}
              type={type}
              label={name}
              value={draft.attributes[name] ?? null}
              error={faultOf(name)}
              onChange={(value) => change({ attributes: { ...draft.attributes, [name]: value } })}
            />
          ))}
        </SimpleGrid>
        <MultiSelect
          label={t('add.lists')}
          placeholder={draft.lists.length === 0 ? t('add.noList') : ''}
          data={lists.map(({ audience_id: id, name }) => ({ value: String(id), label: name }))}
          limit={100}
          searchable
          hidePickedOptions
          value={[...draft.lists]}
          onChange={(chosen) => change({ lists: chosen })}
        />
        {existing !== undefined && (
          <Alert color="yellow" role="alert" title={t('add.existsTitle', { key: keyLabel })}>
            <Stack gap="xs" align="flex-start">
              {t(refusesExisting ? 'add.existsRefused' : 'add.exists')}
              <Group gap="xs">
                <Button variant="default" onClick={() => dialog.closeDone(() => onOpen(existing))}>
                  {t('add.open')}
                </Button>
                {!refusesExisting && (
                  <Button loading={add.isPending} onClick={() => add.mutate({ mayExist: true })}>
                    {t('add.merge')}
                  </Button>
                )}
              </Group>
            </Stack>
          </Alert>
        )}
        {others.length > 0 && (
          <Alert color="red" role="alert" title={t('add.refused')}>
            {others.map(({ text }) => text).join(' ')}
          </Alert>
        )}
        {faults.length === 0 && <ProblemAlert error={add.error} />}
        {faults.length > others.length && (
          <Text size="sm" c="red" role="alert">
            {t('add.correct')}
          </Text>
        )}
        <Group justify="flex-end">
          <CancelButton />
          <Button
            type="submit"
            loading={add.isPending}
            disabled={draft.identity.trim() === '' || existing !== undefined}
          >
            {t('add.action')}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
