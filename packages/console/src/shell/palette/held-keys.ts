/** Id of the field of the command palette. */
export const paletteFieldId = 'palette-field';

let stop: (() => string) | undefined;

/** Keeps the letters that a person types until the field of the palette has the focus. */
export function holdKeys(): void {
  if (stop !== undefined) return;
  let text = '';
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.key === 'Escape' || document.activeElement?.id === paletteFieldId) {
      releaseKeys();
    } else if (event.key.length === 1 && isLetter(event)) {
      event.preventDefault();
      event.stopImmediatePropagation();
      text += event.key;
    }
  };
  addEventListener('keydown', onKeyDown, { capture: true });
  stop = () => {
    removeEventListener('keydown', onKeyDown, { capture: true });
    return text;
  };
}

/** Ends {@link holdKeys}, and returns the letters. */
export function releaseKeys(): string {
  const text = stop?.() ?? '';
  stop = undefined;
  return text;
}

/** Tells whether a key writes something. Some keyboards write `@` with AltGr, which is Ctrl and Alt. */
const isLetter = (event: KeyboardEvent): boolean =>
  event.getModifierState('AltGraph') || !(event.ctrlKey || event.metaKey || event.altKey);
