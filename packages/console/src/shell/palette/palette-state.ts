import { createSpotlight } from '@mantine/spotlight';

/** The state of the command palette. */
export const [paletteStore, palette] = createSpotlight();

/** Opens the command palette. */
export function openPalette(): void {
  palette.open();
}
