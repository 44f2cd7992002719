import { Button, Stack, Text } from '@mantine/core';
import { Dropzone } from '@mantine/dropzone';
import '@mantine/dropzone/styles.css';
import { FileUp } from 'lucide-react';
import { useRef, type ReactNode } from 'react';
import { useTexts } from '#texts/use-texts.ts';
import styles from './wizard.module.css';

/** Where a person drops a file, or chooses one. */
export function FileDrop({
  onFile,
  text,
}: {
  readonly onFile: (file: File) => void;
  readonly text?: string;
}): ReactNode {
  const t = useTexts('imports');
  const open = useRef<() => void>(null);
  return (
    <Dropzone
      openRef={open}
      onDrop={([file]) => file !== undefined && onFile(file)}
      multiple={false}
      inputProps={{ 'aria-label': t('drop.title') }}
      // The button inside is what the keyboard reaches.
      activateOnKeyboard={false}
      tabIndex={-1}
      py={48}
      className={styles.drop}
    >
      <Stack align="center" gap={6}>
        <FileUp size={36} strokeWidth={1.4} aria-hidden />
        <Text fw={600}>{t('drop.title')}</Text>
        <Text size="sm" c="dimmed" ta="center" maw={520}>
          {text ?? t('drop.text')}
        </Text>
        <Button
          variant="default"
          mt="xs"
          onClick={(event) => {
            // The area around it would open the dialog too.
            event.stopPropagation();
            open.current?.();
          }}
        >
          {t('drop.choose')}
        </Button>
      </Stack>
    </Dropzone>
  );
}
