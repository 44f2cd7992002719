import type { ContactProfile } from '@roster/client';
import { Badge, Code, Group, Stack, Switch, Text, TextInput } from '@mantine/core';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { Search } from 'lucide-react';
import { useDeferredValue, useRef, useState, type ReactNode } from 'react';
import { DateTime } from '#components/values/date-time.tsx';
import { formatDate } from '#components/values/format.ts';
import { useAccount } from '#shell/account/use-account.ts';
import { useTexts } from '#texts/use-texts.ts';
import styles from './contact.module.css';
import { EditableValue, textOf, type Value } from './editable-value.tsx';
import type { ContactChange } from './use-contact.ts';

/** Attributes that are drawn before the page is shown. */
const shownAtOnce = 40;

const route = '/signed-in/accounts/$accountId/contacts/$contactId';

/** All attributes of a contact, found by name or value, and edited in place. */
export function AttributesPanel({
  profile,
  changes,
}: {
  readonly profile: ContactProfile;
  readonly changes: ContactChange;
}): ReactNode {
  const t = useTexts('contact');
  const { find = '', filled = false } = useSearch({ from: route });
  const navigate = useNavigate({ from: '/accounts/$accountId/contacts/$contactId' });
  const wanted = find.trim().toLowerCase();
  // What a person types is lost with its row, and the focus, too. So these rows stay until the next
  // search after the person is done.
  const edited = useRef(new Set<number>());
  const [kept, setKept] = useState<ReadonlySet<number>>(new Set());
  function onEditing(id: number, isEditing: boolean): void {
    if (isEditing) edited.current.add(id);
    else edited.current.delete(id);
    setKept((before) => new Set([...before, id]));
  }
  const shown = profile.attributes.filter(
    ({ name, value, attribute_id: id }) =>
      kept.has(id) ||
      ((!filled || value !== null) &&
        (wanted === '' ||
          name.toLowerCase().includes(wanted) ||
          [String(value ?? ''), textOf(value ?? '')].some((text) => text.toLowerCase().includes(wanted)))),
  );
  // An account can have 500 attributes. The first ones are shown at once, and typing does not wait.
  const drawn = useDeferredValue(shown, shown.slice(0, shownAtOnce));
  const withValue = profile.attributes.filter(({ value }) => value !== null).length;
  return (
    <Stack gap="sm">
      <Group justify="space-between">
        <Group gap="md">
          <TextInput
            aria-label={t('attributes.find')}
            placeholder={t('attributes.find')}
            leftSection={<Search size={14} aria-hidden />}
            value={find}
            onChange={(event) => {
              const text = event.currentTarget.value;
              setKept(new Set(edited.current));
              void navigate({
                search: (before) => ({ ...before, find: text === '' ? undefined : text }),
                replace: true,
              });
            }}
          />
          <Switch
            label={t('attributes.onlyWithValue')}
            checked={filled}
            onChange={(event) => {
              const isOn = event.currentTarget.checked;
              setKept(new Set(edited.current));
              void navigate({
                search: (before) => ({ ...before, filled: isOn ? true : undefined }),
                replace: true,
              });
            }}
          />
        </Group>
        <Text size="xs" c="dimmed">
          {t('attributes.count', { filled: withValue, total: profile.attributes.length })}
        </Text>
      </Group>
      {shown.length === 0 ? (
        <Text size="sm" c="dimmed" py="md">
          {t(wanted === '' ? 'attributes.noValues' : 'attributes.none')}
        </Text>
      ) : (
        <div className={styles.rows}>
          {drawn.map((attribute) => (
            <AttributeRow key={attribute.attribute_id} attribute={attribute} changes={changes} onEditing={onEditing} />
          ))}
        </div>
      )}
    </Stack>
  );
}

function AttributeRow({
  attribute,
  changes,
  onEditing,
}: {
  readonly attribute: ContactProfile['attributes'][number];
  readonly changes: ContactChange;
  readonly onEditing: (attributeId: number, isEditing: boolean) => void;
}): ReactNode {
  const t = useTexts('contact');
  const { can } = useAccount();
  const { name, data_type: dataType, data_masking: masking, value, attribute_id: id } = attribute;
  const isMasked = masking !== 'none' && !can('unmasked');
  const shownIn = ({ attributes }: ContactProfile): string =>
    textOf(attributes.find((one) => one.attribute_id === id)?.value ?? '');
  return (
    <div className={styles.row}>
      <Group gap={6} align="center" wrap="nowrap">
        <Text size="sm" fw={500} className={styles.anywhere}>
          {name}
        </Text>
        {masking !== 'none' && (
          <Badge variant="default" size="xs" tt="none" fw={500}>
            {t('attributes.masked')}
          </Badge>
        )}
      </Group>
      <EditableValue
        name={name}
        kind={dataType}
        value={value}
        isMasked={isMasked}
        canEdit={can('contacts:write')}
        inTab
        onEditing={(isEditing) => onEditing(id, isEditing)}
        shown={shownValue(attribute, isMasked)}
        onSave={(given: Value) =>
          changes.change.mutateAsync({
            field: name,
            body: { attributes: { [name]: given } },
            undo: isMasked ? undefined : { body: { attributes: { [name]: value } }, value: textOf(value ?? '') },
            yours: textOf(given ?? ''),
            valueOf: shownIn,
          })
        }
      />
    </div>
  );
}

/** Returns how a value is shown, if it is not the value itself. */
function shownValue({ value, data_type: type }: ContactProfile['attributes'][number], isMasked: boolean): ReactNode {
  if (value === null) return undefined;
  if (isMasked) return <Code>{String(value)}</Code>;
  if (type === 'datetime') return <DateTime value={String(value)} />;
  return type === 'date' ? formatDate(String(value)) : undefined;
}
