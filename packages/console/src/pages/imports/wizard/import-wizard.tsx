import { Alert, Button, Card, Group, Stack, Text, Title } from '@mantine/core';
import type { CreateImportBody, Import } from '@roster/client';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useCallback, useEffect, useMemo, useRef, useState, type ReactNode } from 'react';
import { useIsHere } from '#components/actions/use-is-here.ts';
import { noteStartedWork } from '#components/work/own-work.ts';
import { useUnsavedChanges } from '#components/actions/use-unsaved-changes.ts';
import { ErrorState } from '#components/states/error-state.tsx';
import { useAccount } from '#shell/account/use-account.ts';
import { useTexts } from '#texts/use-texts.ts';
import { columnsOf, type ColumnChoice, type ImportOptions } from '../mapping/column-choice.ts';
import { findMappingFaults } from '../mapping/mapping-faults.ts';
import { MappingTable } from '../mapping/mapping-table.tsx';
import type { KnownAttribute } from '../mapping/suggest.ts';
import type { Preview, PreviewRequest } from '../preview/preview.ts';
import { usePreview } from '../preview/use-preview.ts';
import { importQuery } from '../run/import-query.ts';
import { ImportResult } from '../run/import-result.tsx';
import { FileCard } from './file-card.tsx';
import { FileDrop } from './file-drop.tsx';
import { OptionsCard } from './options-card.tsx';
import { UploadCard } from './upload-card.tsx';
import { useImportRun } from './use-import-run.ts';
import styles from './wizard.module.css';

/** A dry run, and what it checked. Its report says nothing about another file or other settings. */
interface Check {
  readonly id: string;
  readonly file: File;
  readonly settings: string;
}

/**
 * Guides a person from a file to an import. `earlier`: the import whose mapping is used again.
 * `list`: the list that the contacts are added to at first.
 */
export function ImportWizard({
  primaryKey,
  attributes,
  earlier,
  list,
}: {
  readonly primaryKey: string;
  readonly attributes: readonly KnownAttribute[];
  readonly earlier: Import | undefined;
  readonly list: number | undefined;
}): ReactNode {
  const t = useTexts('imports');
  const { accountId } = useAccount();
  const navigate = useNavigate();
  const isHere = useIsHere();
  const cache = useQueryClient();
  const [file, setFile] = useState<File | undefined>(undefined);
  const [encoding, setEncoding] = useState<Import['encoding'] | undefined>(undefined);
  const [delimiter, setDelimiter] = useState<Import['delimiter'] | undefined>(undefined);
  const [choices, setChoices] = useState<Readonly<Record<string, ColumnChoice>>>({});
  const [options, setOptions] = useState<ImportOptions>({
    mode: earlier?.mode ?? 'upsert',
    blankCells: earlier?.blank_cells ?? 'leave',
    audienceIds: earlier?.audience_ids ?? (list === undefined ? [] : [list]),
    optOut: earlier?.opt_out ?? [],
  });
  const [check, setCheck] = useState<Check | undefined>(undefined);
  const run = useImportRun();
  const outcome = useRef<HTMLDivElement>(null);
  // While the file is sent, the upload asks with its own words.
  const leave = useUnsavedChanges(file !== undefined && run.upload === undefined);

  const request = useMemo(
    (): PreviewRequest | undefined =>
      file === undefined ? undefined : { file, encoding, delimiter, attributes, earlier: earlier?.given_columns },
    [file, encoding, delimiter, attributes, earlier],
  );
  const onPreview = useCallback(({ columns, optOut }: Preview) => {
    setChoices(Object.fromEntries(columns.map(({ header, suggestion }) => [header, suggestion])));
    if (optOut.length > 0) setOptions((before) => ({ ...before, optOut }));
  }, []);
  const state = usePreview(request, onPreview);
  const { preview } = state;

  function body(file_: File, dryRun: boolean): CreateImportBody {
    const isOpenEnded = preview!.format === 'ndjson';
    const preset = preview!.preset?.id;
    const usesPreset = preset !== undefined && preview!.optOut.every((channel) => options.optOut.includes(channel));
    return {
      file_name: file_.name.slice(0, 255),
      ...columnsOf(choices, isOpenEnded),
      ...(usesPreset ? { preset } : {}),
      mode: options.mode,
      blank_cells: options.blankCells,
      audience_ids: [...options.audienceIds],
      opt_out: [...options.optOut],
      encoding: preview!.encoding,
      ...(preview!.delimiter === null ? {} : { delimiter: preview!.delimiter }),
      dry_run: dryRun,
    };
  }

  // The outcome is below the buttons. A person who pressed one and stays there sees all of it.
  const show = useCallback(() => {
    const { current } = outcome;
    if (current?.contains(document.activeElement) === true) current.scrollIntoView({ block: 'start' });
  }, []);
  const step = run.error === undefined ? (run.upload === undefined ? 'none' : 'upload') : 'error';
  useEffect(show, [show, step]);

  async function begin(dryRun: boolean): Promise<void> {
    setCheck(undefined);
    // The pressed button is disabled now, and would lose the focus.
    outcome.current?.focus({ preventScroll: true });
    const checked = file!;
    const settings = body(checked, dryRun);
    const made = await run.start(settings, checked);
    if (made === undefined) return;
    cache.setQueryData(importQuery(accountId, made.import_id).queryKey, made);
    await cache.invalidateQueries({ queryKey: ['accounts', accountId, 'imports', 'list'] });
    if (dryRun) {
      setCheck({ id: made.import_id, file: checked, settings: JSON.stringify(settings) });
      return;
    }
    // The person can leave after the file was sent, while the cache is read again.
    if (isHere()) {
      leave();
      await navigate({
        to: '/accounts/$accountId/imports/$importId',
        params: { accountId, importId: made.import_id },
      });
    }
    // Now the page of the import shows its end, unless the person is elsewhere.
    noteStartedWork({ kind: 'import', id: made.import_id });
  }

  function chooseFile(chosen: File | undefined): void {
    setFile(chosen);
    setEncoding(undefined);
    setDelimiter(undefined);
    setCheck(undefined);
  }

  if (file === undefined)
    return <FileDrop onFile={chooseFile} text={earlier === undefined ? undefined : t('drop.againText')} />;
  const isBusy = run.upload !== undefined;
  const faults =
    preview === undefined
      ? []
      : findMappingFaults(preview.columns, choices, { format: preview.format, mode: options.mode, primaryKey });
  const isRefused = faults.some(({ isFatal }) => isFatal);
  const isDamaged = preview?.encoding === 'utf-8' && state.utf8?.badLine !== undefined;
  const canStart = !isBusy && preview?.hasOnlyHeader === false && !isRefused && !isDamaged;
  return (
    <Stack>
      <FileCard
        file={file}
        state={state}
        encoding={encoding}
        delimiter={delimiter}
        isSending={isBusy}
        onEncoding={setEncoding}
        onDelimiter={setDelimiter}
        onRemove={() => chooseFile(undefined)}
      />
      {preview !== undefined && (
        <>
          <Card withBorder>
            <Stack gap="xs">
              <Title order={2} size="h5">
                {t('mapping.title')}
              </Title>
              <Text size="sm" c="dimmed">
                {t('mapping.text')}
              </Text>
              <MappingTable
                columns={preview.columns}
                choices={choices}
                attributes={attributes}
                onChoose={(header, choice) => setChoices((before) => ({ ...before, [header]: choice }))}
              />
              {faults.map(({ kind, name, isFatal }) => (
                <Alert key={`${kind} ${name}`} color={isFatal ? 'red' : 'orange'} role={isFatal ? 'alert' : undefined}>
                  {t(`mapping.faults.${kind}`, { name })}
                </Alert>
              ))}
            </Stack>
          </Card>
          <OptionsCard options={options} onChange={(change) => setOptions((before) => ({ ...before, ...change }))} />
          <Stack ref={outcome} tabIndex={-1} role="group" aria-label={t('result.area')} className={styles.outcome}>
            <Group justify="flex-end">
              {isRefused && (
                <Text size="sm" c="dimmed">
                  {t('mapping.fixFirst')}
                </Text>
              )}
              <Button variant="default" size="sm" disabled={!canStart} onClick={() => void begin(true)}>
                {t('actions.check')}
              </Button>
              <Button size="sm" disabled={!canStart} onClick={() => void begin(false)}>
                {t('actions.start')}
              </Button>
            </Group>
            {run.error !== undefined && <ErrorState error={run.error} />}
            {run.upload !== undefined && <UploadCard state={run.upload} onStop={run.stop} />}
            {check !== undefined &&
              (check.file === file && check.settings === JSON.stringify(body(file, true)) ? (
                <CheckResult importId={check.id} onChange={show} />
              ) : (
                <Alert color="gray" role="status">
                  {t('result.checkOld')}
                </Alert>
              ))}
          </Stack>
        </>
      )}
    </Stack>
  );
}

/** The report of a dry run. Calls `onChange` when it begins and when it ends. */
function CheckResult({ importId, onChange }: { readonly importId: string; readonly onChange: () => void }): ReactNode {
  const { accountId } = useAccount();
  const query = useQuery(importQuery(accountId, importId));
  const status = query.data?.status;
  useEffect(onChange, [onChange, status]);
  return query.data === undefined ? null : <ImportResult found={query.data} />;
}
