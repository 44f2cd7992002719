import {
  Button,
  Divider,
  Group,
  MultiSelect,
  PasswordInput,
  SegmentedControl,
  Select,
  SimpleGrid,
  Stack,
  Switch,
  Text,
  TextInput,
} from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import type { ExportSchedule } from '@roster/client';
import { useState, type ReactNode } from 'react';
import { problemOf } from '#api/problem.ts';
import { useDialog } from '#components/actions/dialog-frame.ts';
import { CancelButton } from '#components/actions/dialog.tsx';
import { ProblemAlert } from '#components/actions/problem-alert.tsx';
import { WholeNumberField } from '#components/inputs/whole-number-field.tsx';
import { MergeDialog } from '#components/merge/merge-dialog.tsx';
import { useMerge } from '#components/merge/use-merge.ts';
import { useTimeZone } from '#components/values/time-zone.tsx';
import { useAccount } from '#shell/account/use-account.ts';
import { useTexts } from '#texts/use-texts.ts';
import { changeOf, draftOf, newDraft, requestOf, weekdays, type ScheduleDraft } from './schedule-draft.ts';
import type { NewExportSearch } from './search.ts';
import { useScheduleFields } from './schedule-text.ts';
import { bodyOf, ContentFields, SourceFields } from './source-fields.tsx';

/**
 * Creates a schedule for `selection`, or changes one. It is the content of a dialog, and closes it.
 */
export function ScheduleForm({
  schedule,
  selection,
}: {
  readonly schedule: ExportSchedule | undefined;
  /** The contacts and columns that a new schedule begins with. */
  readonly selection: NewExportSearch;
}): ReactNode {
  const t = useTexts('exports');
  const { accountId, account } = useAccount();
  const timeZone = useTimeZone() ?? '';
  const cache = useQueryClient();
  const merge = useMerge();
  const fields = useScheduleFields();
  // The schedule can be loaded again while the form is open.
  const [opened] = useState(schedule);
  const [draft, setDraft] = useState<ScheduleDraft>(() =>
    schedule === undefined ? newDraft(selection) : draftOf(schedule),
  );
  const [first] = useState(draft);
  const hasDraft = JSON.stringify(draft) !== JSON.stringify(first);
  const set = (change: Partial<ScheduleDraft>): void => setDraft({ ...draft, ...change });
  const content = bodyOf(draft.content);
  const save = useMutation({
    async mutationFn() {
      if (opened === undefined) return account.exportSchedules.create(requestOf(draft, content!));
      return merge.save({
        stored: opened,
        draft,
        draftOf,
        fields,
        save: (next, { schedule_id: id, version }) =>
          account.exportSchedules.update(id, changeOf(next, bodyOf(next.content)!), { version }),
      });
    },
    async onSuccess(saved) {
      if (saved === undefined) return;
      await cache.invalidateQueries({ queryKey: ['accounts', accountId, 'exports'] });
      closeDone();
    },
  });
  const { closeDone } = useDialog({ isRunning: save.isPending, hasEntries: hasDraft });
  const problem = save.error === null ? undefined : problemOf(save.error);
  const faultOf = (field: string): string | undefined => problem?.faults.find((one) => one.field === field)?.message;
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        if (content !== undefined) save.mutate();
      }}
    >
      <Stack gap="md">
        <TextInput
          label={t('schedules.name')}
          placeholder={t('schedules.namePlaceholder')}
          required
          maxLength={255}
          data-autofocus
          value={draft.name}
          error={faultOf('name')}
          onChange={(event) => set({ name: event.currentTarget.value })}
        />
        <SourceFields value={draft.content} onChange={(next) => set({ content: next })} />
        <ContentFields value={draft.content} onChange={(next) => set({ content: next })} />
        <Divider />
        <Select
          label={t('schedules.when')}
          allowDeselect={false}
          value={draft.every}
          data={(['day', 'week', 'month', 'cron'] as const).map((value) => ({
            value,
            label: t(`schedules.every.${value}`),
          }))}
          onChange={(every) => set({ every: every ?? 'day' })}
        />
        <SimpleGrid cols={2}>
          {draft.every === 'week' && (
            <MultiSelect
              label={t('schedules.weekdays')}
              required
              value={[...draft.weekdays]}
              error={faultOf('timing.weekdays')}
              data={weekdays.map((value) => ({ value, label: t(`schedules.weekday.${value}`) }))}
              onChange={(names) => set({ weekdays: weekdays.filter((one) => names.includes(one)) })}
            />
          )}
          {draft.every === 'month' && (
            <WholeNumberField
              label={t('schedules.day')}
              description={t('schedules.dayHint')}
              min={1}
              max={31}
              required
              value={draft.day}
              error={faultOf('timing.day')}
              onChange={(day) => set({ day })}
            />
          )}
          {draft.every === 'cron' ? (
            <TextInput
              label={t('schedules.cron')}
              description={t('schedules.cronHint')}
              placeholder="0 6 * * 1-5"
              required
              value={draft.cron}
              error={faultOf('timing.cron')}
              onChange={(event) => set({ cron: event.currentTarget.value })}
            />
          ) : (
            <TextInput
              type="time"
              label={t('schedules.at')}
              required
              value={draft.at}
              error={faultOf('timing.at')}
              onChange={(event) => set({ at: event.currentTarget.value })}
            />
          )}
        </SimpleGrid>
        <Text size="xs" c="dimmed">
          {t('schedules.zone', { zone: timeZone })}
        </Text>
        <Divider />
        <PlaceFields draft={draft} set={set} faultOf={faultOf} keepsSecret={schedule?.place != null} />
        <Switch
          label={t('form.compress')}
          checked={draft.isCompressed}
          onChange={(event) => set({ isCompressed: event.currentTarget.checked })}
        />
        <TextInput
          type="email"
          label={t('form.mail')}
          value={draft.mail}
          error={faultOf('notify_email')}
          onChange={(event) => set({ mail: event.currentTarget.value })}
        />
        <ProblemAlert error={save.error} title={t('schedules.saveFailed')} />
        <Group justify="flex-end" gap="xs">
          <CancelButton size="sm" />
          <Button type="submit" size="sm" loading={save.isPending} disabled={content === undefined}>
            {t(schedule === undefined ? 'schedules.create' : 'schedules.save')}
          </Button>
        </Group>
      </Stack>
      <MergeDialog conflict={merge.conflict} />
    </form>
  );
}

function PlaceFields({
  draft,
  set,
  faultOf,
  keepsSecret,
}: {
  readonly draft: ScheduleDraft;
  readonly set: (change: Partial<ScheduleDraft>) => void;
  readonly faultOf: (field: string) => string | undefined;
  readonly keepsSecret: boolean;
}): ReactNode {
  const t = useTexts('exports');
  const { place } = draft;
  const field = (name: keyof ScheduleDraft['place'], label: string, placeholder: string, required = false) => (
    <TextInput
      label={label}
      placeholder={placeholder}
      required={required}
      value={place[name]}
      error={faultOf(`place.${name}`)}
      onChange={(event) => set({ place: { ...place, [name]: event.currentTarget.value } })}
    />
  );
  return (
    <>
      <Text size="sm" fw={500} id="schedule-place">
        {t('schedules.to')}
      </Text>
      <SegmentedControl
        aria-labelledby="schedule-place"
        value={draft.to}
        data={[
          { value: 'store', label: t('schedules.store') },
          { value: 's3', label: t('schedules.s3') },
        ]}
        onChange={(to) => set({ to })}
      />
      {draft.to === 'store' ? (
        <WholeNumberField
          label={t('schedules.keep')}
          description={t('schedules.keepHint')}
          min={1}
          max={100}
          required
          value={draft.keep}
          onChange={(keep) => set({ keep })}
        />
      ) : (
        <SimpleGrid cols={2}>
          {field('endpoint', t('schedules.endpoint'), 'https://s3.eu-central-1.amazonaws.com', true)}
          {field('region', t('schedules.region'), 'us-east-1')}
          {field('bucket', t('schedules.bucket'), 'customer-exports', true)}
          {field('prefix', t('schedules.prefix'), 'roster/')}
          {field('key_id', t('schedules.keyId'), '', true)}
          <PasswordInput
            label={t('schedules.secret')}
            description={keepsSecret ? t('schedules.secretKept') : undefined}
            required={!keepsSecret}
            autoComplete="off"
            value={place.secret}
            error={faultOf('place.secret')}
            onChange={(event) => set({ place: { ...place, secret: event.currentTarget.value } })}
          />
        </SimpleGrid>
      )}
    </>
  );
}
