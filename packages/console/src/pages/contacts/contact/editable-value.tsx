import {
  ActionIcon,
  Alert,
  Button,
  Group,
  SegmentedControl,
  Stack,
  Text,
  Textarea,
  TextInput,
  UnstyledButton,
} from '@mantine/core';
import { Pencil } from 'lucide-react';
import { lazy, useEffect, useRef, useState, type KeyboardEvent, type ReactNode } from 'react';
import { SeparatePart } from '#components/parts/separate-part.tsx';
import { cutText, formatNumber } from '#components/values/format.ts';
import { numberText, parseNumber } from '#components/values/number-text.ts';
import { useProblemText } from '#components/actions/problem-alert.tsx';
import { isSamePage, isSameTab, useUnsavedChanges } from '#components/actions/use-unsaved-changes.ts';
import { useTexts } from '#texts/use-texts.ts';
import styles from './contact.module.css';

// The calendar is large, and few values need it.
const MomentField = lazy(async () => ({ default: (await import('#components/dates/moment-field.tsx')).MomentField }));

/** The value of an attribute or field. */
export type Value = string | number | boolean | null;

/** How a value is edited: as a data type of attributes, or as a field of contacts. */
export type ValueKind = 'text' | 'long_text' | 'number' | 'boolean' | 'date' | 'datetime' | 'email' | 'tel';

/** Longer values are cut, and can be opened. */
const shownCharacters = 280;

/** A value that can be edited in place. It is shown as plain text in any direction. */
export function EditableValue({
  name,
  kind,
  value,
  shown,
  isMasked = false,
  canEdit,
  inTab = false,
  onSave,
  onEditing,
}: {
  readonly name: string;
  readonly kind: ValueKind;
  readonly value: Value;
  /** What is shown instead of the value as it is. */
  readonly shown?: ReactNode;
  readonly isMasked?: boolean;
  readonly canEdit: boolean;
  /** It is in a tab of the page, so another tab loses what is typed. */
  readonly inTab?: boolean;
  /** Saves a value; null clears it. Rejects if the service refuses it. */
  readonly onSave: (value: Value) => Promise<unknown>;
  /** Is told when the person begins and ends to edit the value. */
  readonly onEditing?: (isEditing: boolean) => void;
}): ReactNode {
  const t = useTexts('contact');
  const [isEditing, setEditing] = useState(false);
  const pencil = useRef<HTMLButtonElement>(null);
  const wasEditing = useRef(false);
  useEffect(() => {
    // The editor is gone with the focus, unless the person went elsewhere.
    if (wasEditing.current && !isEditing && document.activeElement === document.body) pencil.current?.focus();
    wasEditing.current = isEditing;
  }, [isEditing]);
  function change(next: boolean): void {
    setEditing(next);
    onEditing?.(next);
  }
  if (isEditing) {
    return <Editor {...{ name, kind, value, isMasked, inTab, onSave }} onClose={() => change(false)} />;
  }
  return (
    <Group gap={4} wrap="nowrap" align="flex-start" justify="space-between" className={styles.value}>
      <div className={styles.text}>{shown ?? <LongText value={value} />}</div>
      {canEdit && (
        <ActionIcon
          ref={pencil}
          variant="subtle"
          color="gray"
          size="sm"
          aria-label={t('attributes.edit', { name })}
          onClick={() => change(true)}
        >
          <Pencil size={14} aria-hidden />
        </ActionIcon>
      )}
    </Group>
  );
}

function LongText({ value }: { readonly value: Value }): ReactNode {
  const t = useTexts('contact');
  const [isOpen, setOpen] = useState(false);
  if (value === null) {
    return (
      <Text size="sm" c="dimmed">
        {t('attributes.empty')}
      </Text>
    );
  }
  const text = typeof value === 'boolean' ? t(value ? 'editor.yes' : 'editor.no') : textOf(value);
  const isLong = text.length > shownCharacters;
  return (
    <>
      <Text size="sm" dir="auto" className={styles.anywhere}>
        {isOpen ? text : cutText(text, shownCharacters)}
      </Text>
      {isLong && (
        <UnstyledButton
          mih="var(--roster-target)"
          fz="xs"
          c="var(--mantine-color-anchor)"
          onClick={() => setOpen(!isOpen)}
        >
          {t(isOpen ? 'attributes.showLess' : 'attributes.showAll')}
        </UnstyledButton>
      )}
    </>
  );
}

function Editor({
  name,
  kind,
  value,
  isMasked,
  inTab,
  onSave,
  onClose,
}: {
  readonly name: string;
  readonly kind: ValueKind;
  readonly value: Value;
  readonly isMasked: boolean;
  readonly inTab: boolean;
  readonly onSave: (value: Value) => Promise<unknown>;
  readonly onClose: () => void;
}): ReactNode {
  const t = useTexts('contact');
  const common = useTexts('common');
  const problemText = useProblemText();
  const [initial] = useState(isMasked || value === null ? '' : textOf(value));
  const [text, setText] = useState(initial);
  const [isSaving, setSaving] = useState(false);
  const [error, setError] = useState<string | undefined>(undefined);

  const hasEntries = text !== initial;
  useUnsavedChanges(hasEntries || isSaving, {
    question: isSaving ? common('running') : undefined,
    keeps: inTab ? isSameTab : isSamePage,
  });

  function onKeyDown(event: KeyboardEvent<HTMLElement>): void {
    // A calendar is elsewhere in the document, and closes itself.
    if (event.key !== 'Escape' || !event.currentTarget.contains(event.target as Element)) return;
    if (!isSaving && (!hasEntries || confirm(common('unsavedForm')))) onClose();
  }

  async function save(given: Value): Promise<void> {
    setSaving(true);
    setError(undefined);
    try {
      await onSave(given);
      onClose();
    } catch (failure) {
      setError(problemText(failure));
      setSaving(false);
    }
  }
  function submit(): void {
    const given = valueOf(kind, text);
    if (given === undefined) setError(common('values.notANumber', { example: formatNumber(1234.5) }));
    else void save(given);
  }

  return (
    <form
      className={styles.editor}
      onSubmit={(event) => {
        event.preventDefault();
        submit();
      }}
    >
      <Stack gap={6} onKeyDown={onKeyDown}>
        <Input {...{ name, kind, text, setText, submit }} />
        {isMasked && (
          <Text size="xs" c="dimmed">
            {t('editor.maskedHint')}
          </Text>
        )}
        {error !== undefined && (
          <Alert color="red" role="alert" p="xs">
            {error}
          </Alert>
        )}
        <Group gap="xs">
          <Button type="submit" loading={isSaving} disabled={text === ''}>
            {t('editor.save')}
          </Button>
          <Button variant="default" disabled={isSaving} onClick={onClose}>
            {t('editor.cancel')}
          </Button>
          {value !== null && (
            <Button variant="subtle" color="red" disabled={isSaving} onClick={() => void save(null)}>
              {t('editor.clear')}
            </Button>
          )}
        </Group>
      </Stack>
    </form>
  );
}

function Input({
  name,
  kind,
  text,
  setText,
  submit,
}: {
  readonly name: string;
  readonly kind: ValueKind;
  readonly text: string;
  readonly setText: (text: string) => void;
  readonly submit: () => void;
}): ReactNode {
  const t = useTexts('contact');
  const common = {
    'aria-label': name,
    value: text,
    autoFocus: true,
    onKeyDown(event: KeyboardEvent): void {
      const isLine = kind === 'text' && !event.shiftKey;
      if (event.key !== 'Enter' || !(event.metaKey || event.ctrlKey || isLine)) return;
      // Without this, the field would get a line break too.
      event.preventDefault();
      submit();
    },
  };
  if (kind === 'boolean') {
    return (
      <SegmentedControl
        // It has no property for the focus.
        ref={focusChoice}
        aria-label={name}
        value={text}
        onChange={setText}
        data={[
          { value: 'true', label: t('editor.yes') },
          { value: 'false', label: t('editor.no') },
        ]}
      />
    );
  }
  if (kind === 'text' || kind === 'long_text') {
    return (
      <Textarea
        {...common}
        autosize
        minRows={1}
        maxRows={12}
        dir="auto"
        onChange={(event) => setText(event.currentTarget.value)}
      />
    );
  }
  if (kind === 'datetime') {
    return (
      <SeparatePart loading={<TextInput aria-label={name} disabled />}>
        <MomentField
          aria-label={name}
          autoFocus
          value={text === '' ? null : text}
          onChange={(moment) => setText(moment ?? '')}
        />
      </SeparatePart>
    );
  }
  const types = { number: 'text', date: 'date', email: 'email', tel: 'tel' } as const;
  return (
    <TextInput
      {...common}
      type={types[kind]}
      max={kind === 'date' ? '9999-12-31' : undefined}
      inputMode={kind === 'number' ? 'decimal' : undefined}
      onChange={(event) => setText(event.currentTarget.value)}
    />
  );
}

function focusChoice(control: HTMLElement | null): void {
  (control?.querySelector<HTMLElement>('input:checked') ?? control?.querySelector('input'))?.focus();
}

/** Returns a value as a person reads and types it. */
export function textOf(value: Exclude<Value, null>): string {
  return typeof value === 'number' ? numberText(value) : String(value);
}

/** Returns a typed text as a value; undefined if it is not a number but should be. The service checks the rest. */
function valueOf(kind: ValueKind, text: string): Exclude<Value, null> | undefined {
  if (kind === 'boolean') return text === 'true';
  return kind === 'number' ? parseNumber(text) : text;
}
