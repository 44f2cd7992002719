import { ActionIcon, Badge, Popover, Tooltip } from '@mantine/core';
import { Activity } from 'lucide-react';
import { lazy, useState, type ReactNode } from 'react';
import { SeparatePart } from '#components/parts/separate-part.tsx';
import { useTexts } from '#texts/use-texts.ts';
import styles from './progress-tray.module.css';
import { useEndedWorkMessage } from './use-ended-work.ts';
import { isRunning, useFollowedWork, useRunningWork } from '../account/use-running-work.ts';

const WorkList = lazy(async () => ({ default: (await import('./work-list.tsx')).WorkList }));

/** Shows the running work of the account, on every page. */
export function ProgressTray(): ReactNode {
  const t = useTexts('shell');
  const [isOpen, setOpen] = useState(false);
  useFollowedWork(useEndedWorkMessage());
  const work = useRunningWork();
  const running = work.filter(isRunning).length;
  const label = running === 0 ? t('tray.idle') : t('tray.open', { count: running });
  return (
    <Popover opened={isOpen} onChange={setOpen} position="bottom-end" width={340} shadow="md" trapFocus>
      <Popover.Target>
        <Tooltip label={label} disabled={isOpen}>
          <ActionIcon
            className={styles.button}
            variant="subtle"
            color="gray"
            size="lg"
            aria-label={label}
            aria-expanded={isOpen}
            onClick={() => setOpen(!isOpen)}
          >
            <Activity size={18} aria-hidden />
            {running > 0 && (
              <Badge className={styles.count} size="xs" color="indigo.8" aria-hidden>
                {running}
              </Badge>
            )}
          </ActionIcon>
        </Tooltip>
      </Popover.Target>
      <Popover.Dropdown aria-label={t('tray.title')} p={0}>
        <SeparatePart>
          <WorkList work={work} onLeave={() => setOpen(false)} />
        </SeparatePart>
      </Popover.Dropdown>
    </Popover>
  );
}
