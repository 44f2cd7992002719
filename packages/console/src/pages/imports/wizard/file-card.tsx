import { Alert, Badge, Button, Card, Group, Loader, Select, Stack, Text } from '@mantine/core';
import type { Import } from '@roster/client';
import { FileText } from 'lucide-react';
import type { ReactNode } from 'react';
import { formatBytes } from '#components/values/format.ts';
import { useTexts } from '#texts/use-texts.ts';
import { PreviewTable } from '../mapping/preview-table.tsx';
import type { PreviewState } from '../preview/use-preview.ts';

const encodings = ['utf-8', 'windows-1252', 'utf-16le', 'utf-16be'] as const;
const delimiters = [',', ';', 'tab', '|'] as const;

/** The chosen file: what was detected, which can be changed, and its first rows. */
export function FileCard({
  file,
  state,
  encoding,
  delimiter,
  isSending,
  onEncoding,
  onDelimiter,
  onRemove,
}: {
  readonly file: File;
  readonly state: PreviewState;
  readonly encoding: Import['encoding'] | undefined;
  readonly delimiter: Import['delimiter'] | undefined;
  /** The file is being sent, and must stay. */
  readonly isSending: boolean;
  readonly onEncoding: (encoding: Import['encoding']) => void;
  readonly onDelimiter: (delimiter: Import['delimiter']) => void;
  readonly onRemove: () => void;
}): ReactNode {
  const t = useTexts('imports');
  const { preview, fault } = state;
  return (
    <Card withBorder>
      <Stack>
        <Group justify="space-between" align="flex-start">
          <Group gap="sm" wrap="nowrap" miw={0}>
            <FileText size={22} strokeWidth={1.5} aria-hidden />
            <div>
              <Text fw={600} style={{ overflowWrap: 'anywhere' }} dir="auto">
                {file.name}
              </Text>
              <Text size="sm" c="dimmed">
                {formatBytes(file.size)}
                {preview !== undefined && ` · ${t('preview.columns', { count: preview.columns.length })}`}
              </Text>
            </div>
            {preview?.preset !== undefined && (
              <Badge variant="light" tt="none" fw={500}>
                {preview.preset.title}
              </Badge>
            )}
          </Group>
          <Button variant="default" disabled={isSending} onClick={onRemove}>
            {t('preview.otherFile')}
          </Button>
        </Group>
        {fault !== undefined && (
          <Alert color="red" role="alert" title={t('preview.faultTitle')}>
            {t(`preview.faults.${fault}`)}
          </Alert>
        )}
        {preview === undefined && fault === undefined && (
          <Group gap="xs" role="status">
            <Loader size="xs" aria-hidden /> <Text size="sm">{t('preview.reading')}</Text>
          </Group>
        )}
        {(preview !== undefined || encoding !== undefined) && (
          <Group align="flex-end">
            <Select
              label={t('preview.encoding')}
              w={220}
              allowDeselect={false}
              value={encoding ?? preview?.encoding ?? 'utf-8'}
              data={encodings.map((value) => ({ value, label: t(`encodings.${value}`) }))}
              onChange={(value) => onEncoding(value)}
            />
            {preview?.format === 'csv' && (
              <Select
                label={t('preview.delimiter')}
                w={220}
                allowDeselect={false}
                value={delimiter ?? preview.delimiter ?? ','}
                data={delimiters.map((value) => ({ value, label: t(`delimiters.${nameOf(value)}`) }))}
                onChange={(value) => onDelimiter(value)}
              />
            )}
          </Group>
        )}
        <EncodingNote state={state} />
        {preview?.columns.some(({ header }) => address.test(header)) === true && (
          <Alert color="orange" role="alert" title={t('preview.noHeaderTitle')}>
            {t('preview.noHeader')}
          </Alert>
        )}
        {preview?.hasOnlyHeader === true && <Alert color="orange">{t('preview.onlyHeader')}</Alert>}
        {preview !== undefined && preview.damagedLines > 0 && (
          <Alert color="orange">{t('preview.damagedLines', { count: preview.damagedLines })}</Alert>
        )}
        {preview !== undefined && (
          <PreviewTable headers={preview.columns.map(({ header }) => header)} rows={preview.rows} />
        )}
      </Stack>
    </Card>
  );
}

/** An e-mail address is never the name of a column. */
const address = /^[^\s@]+@[^\s@]+\.[^\s@]+$/;

/** Says which line is not UTF-8, and what to do. */
function EncodingNote({ state: { preview, utf8 } }: { readonly state: PreviewState }): ReactNode {
  const t = useTexts('imports');
  if (preview === undefined || utf8?.badLine === undefined) return null;
  const line = utf8.badLine;
  if (preview.encoding !== 'utf-8')
    return (
      <Alert color="orange" title={t('preview.guessedTitle', { line })}>
        {t('preview.guessed')}
      </Alert>
    );
  return (
    <Alert color="red" role="alert" title={t('preview.otherBytesTitle', { line })}>
      {utf8.hasCharacters ? t('preview.damagedBytes') : t('preview.otherBytes')}
    </Alert>
  );
}

const nameOf = (delimiter: (typeof delimiters)[number]) =>
  ({ ',': 'comma', ';': 'semicolon', tab: 'tab', '|': 'bar' } as const)[delimiter];
