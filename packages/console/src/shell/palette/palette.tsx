import '@mantine/spotlight/styles.css';
import { createSpotlight, Spotlight, type SpotlightActionData } from '@mantine/spotlight';
import { useNavigate } from '@tanstack/react-router';
import { Search } from 'lucide-react';
import type { ReactNode } from 'react';
import { useTexts } from '#texts/use-texts.ts';
import { navigation } from '../account/navigation.ts';
import { useAccountIfAny } from '../account/use-account.ts';

const [paletteStore, palette] = createSpotlight();

/** Opens the command palette. */
export const openPalette = palette.open;

/** The command palette (Ctrl-K or Cmd-K). */
export function Palette(): ReactNode {
  const t = useTexts('shell');
  const current = useAccountIfAny();
  const navigate = useNavigate();
  const pages: SpotlightActionData[] = navigation.flat().flatMap(({ id, path, icon: Icon, needs }) => {
    if (current === undefined || (needs.length > 0 && !needs.some((right) => current.can(right)))) return [];
    const to = `/accounts/${current.accountId}${path}`;
    return [
      {
        id,
        label: t(`pages.${id}`),
        leftSection: <Icon size={16} aria-hidden />,
        onClick: () => void navigate({ to }),
      },
    ];
  });
  return (
    <Spotlight
      store={paletteStore}
      actions={[{ group: t('palette.pages'), actions: pages }]}
      // The frame listens for it, so that the palette is loaded only when it is needed.
      shortcut={null}
      nothingFound={t('nothingFound')}
      searchProps={{ leftSection: <Search size={16} />, placeholder: t('searchHint'), 'aria-label': t('search') }}
      scrollable
      maxHeight={420}
    />
  );
}
