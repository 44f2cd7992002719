import { Combobox, Loader, Text, TextInput, useCombobox } from '@mantine/core';
import { useDebouncedValue, useId } from '@mantine/hooks';
import type { FoundContact } from '@roster/client';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { Search } from 'lucide-react';
import { useEffect, useState, type ReactNode } from 'react';
import { problemOf } from '#api/problem.ts';
import { contactTypeLabel } from '#components/filter/filter-words.ts';
import { useTexts } from '#texts/use-texts.ts';
import type { Access } from './access.ts';
import styles from './contacts.module.css';
import { isName } from './is-name.ts';

/** Finds a contact by the beginning of its address, number or identity, while the person types. */
export function QuickFind({
  access: { accountId, account },
  onOpen,
  onFindByName,
}: {
  readonly access: Access;
  readonly onOpen: (contactId: number, contact: FoundContact) => void;
  /** Finds people by their names instead, which have no index for this. */
  readonly onFindByName?: ((text: string) => void) | undefined;
}): ReactNode {
  const t = useTexts('filter');
  const common = useTexts('common');
  const combobox = useCombobox({ onDropdownClose: () => combobox.resetSelectedOption() });
  const listId = useId();
  const [text, setText] = useState('');
  const [wanted] = useDebouncedValue(text.trim(), 120);
  const found = useQuery({
    queryKey: ['accounts', accountId, 'contacts', 'find', wanted],
    queryFn: ({ signal }) => account.contacts.find(wanted, { signal }),
    enabled: wanted !== '',
    placeholderData: keepPreviousData,
  });
  // The Enter key opens a single contact. It must not open a contact that was found for another text.
  const isCurrent = wanted === text.trim() && !found.isPlaceholderData;
  const rows = found.data?.data ?? [];
  const isEmpty = found.data !== undefined && !found.isFetching && rows.length === 0;
  // Also next to contacts that were found: an Anna can have an address that does not begin with “anna”.
  const offersNames = onFindByName !== undefined && found.data !== undefined && isCurrent && isName(wanted);
  const [first] = rows;
  const isSingle = first === undefined ? offersNames : isCurrent && rows.length === 1;
  const single = isSingle ? (first?.contact_id ?? byName) : undefined;
  const { selectFirstOption, resetSelectedOption } = combobox;
  useEffect(() => {
    if (single === undefined) resetSelectedOption();
    else selectFirstOption();
  }, [single, selectFirstOption, resetSelectedOption]);
  const isOpen = wanted !== '' && text.trim() !== '';
  return (
    <Combobox
      store={combobox}
      onOptionSubmit={(id) => {
        combobox.closeDropdown();
        if (id === byName) {
          setText('');
          onFindByName?.(wanted);
        }
        const contact = rows.find(({ contact_id }) => String(contact_id) === id);
        if (contact !== undefined) onOpen(contact.contact_id, contact);
      }}
    >
      <Combobox.Target withExpandedAttribute>
        <TextInput
          size="xs"
          flex="1 1 0"
          miw={0}
          maw={280}
          role="combobox"
          aria-expanded={isOpen}
          aria-controls={listId}
          aria-label={t('find.label')}
          placeholder={t(onFindByName === undefined ? 'find.hint' : 'find.hintWithName')}
          leftSection={<Search size={14} aria-hidden />}
          rightSection={found.isFetching && isOpen ? <Loader size={12} /> : null}
          value={text}
          maxLength={255}
          onChange={(event) => {
            setText(event.currentTarget.value);
            combobox.openDropdown();
            combobox.updateSelectedOptionIndex();
          }}
          onFocus={() => combobox.openDropdown()}
          onBlur={() => combobox.closeDropdown()}
        />
      </Combobox.Target>
      <Combobox.Dropdown hidden={!isOpen}>
        <Combobox.Options id={listId} aria-label={t('find.label')} mah={360} style={{ overflowY: 'auto' }}>
          {rows.map((contact) => (
            <Combobox.Option key={contact.contact_id} value={String(contact.contact_id)}>
              <FoundLine contact={contact} />
            </Combobox.Option>
          ))}
          {offersNames && (
            <Combobox.Option value={byName} className={styles.byName}>
              <Text size="sm">{t('find.byName', { text: wanted })}</Text>
            </Combobox.Option>
          )}
        </Combobox.Options>
        {found.error !== null && (
          <Text size="xs" p="xs" c="red">
            {common(`errors.${problemOf(found.error).kind}.title`)}
          </Text>
        )}
        {isEmpty && (
          <Text size="xs" p="xs" c="dimmed">
            {t('find.nothing')}
          </Text>
        )}
        {found.data?.more === true && <Combobox.Footer fz="xs">{t('find.more')}</Combobox.Footer>}
      </Combobox.Dropdown>
    </Combobox>
  );
}

/** The option that finds people by their names. */
const byName = 'by-name';

/** The values by which a person recognizes a contact, in two lines. */
export function FoundLine({ contact }: { readonly contact: FoundContact }): ReactNode {
  const t = useTexts('filter');
  const { contact_id: id, identity, email, mobile } = contact;
  const type = contactTypeLabel(t, contact.contact_type);
  const values = [...new Set([identity, email, mobile].filter((value) => value !== null))];
  return (
    <>
      <Text size="sm" truncate>
        {values[0] ?? id}
      </Text>
      <Text size="xs" truncate className={styles.second}>
        {[...values.slice(1), type, id].join(' · ')}
      </Text>
    </>
  );
}
