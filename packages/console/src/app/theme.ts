import { createTheme, type CSSVariablesResolver } from '@mantine/core';

const systemFonts =
  'system-ui, -apple-system, "Segoe UI", Roboto, "Helvetica Neue", "Noto Sans", "Liberation Sans", Arial, sans-serif';

/** The look of the console: dense and calm, with one accent colour. */
export const theme = createTheme({
  primaryColor: 'indigo',
  primaryShade: { light: 7, dark: 8 },
  colors: {
    // The reds of Mantine, but 7 and 8 are darker: white text on them, and they on white, can be read.
    red: ['#fff5f5', '#ffe3e3', '#ffc9c9', '#ffa8a8', '#ff8787', '#ff6b6b', '#fa5252', '#c92a2a', '#c92a2a', '#b02525'],
  },
  defaultRadius: 'sm',
  cursorType: 'pointer',
  fontFamily: systemFonts,
  fontFamilyMonospace: 'ui-monospace, SFMono-Regular, Menlo, Consolas, "Liberation Mono", monospace',
  fontSizes: { xs: '12px', sm: '14px', md: '14px', lg: '16px', xl: '18px' },
  headings: {
    fontWeight: '600',
    sizes: {
      h1: { fontSize: '26px', lineHeight: '1.25' },
      h2: { fontSize: '22px', lineHeight: '1.3' },
      h3: { fontSize: '19px', lineHeight: '1.35' },
      h4: { fontSize: '16px', lineHeight: '1.4' },
      h5: { fontSize: '14px', lineHeight: '1.45' },
    },
  },
  radius: { xs: '3px', sm: '6px', md: '8px', lg: '12px', xl: '20px' },
  spacing: { xs: '8px', sm: '12px', md: '16px', lg: '24px', xl: '32px' },
  components: {
    Button: { defaultProps: { size: 'xs', fz: 13, fw: 500 } },
    Input: { defaultProps: { size: 'sm' } },
    InputWrapper: { styles: { label: { fontWeight: 500, marginBottom: 4 } } },
    // As other framed parts of a page, also in dark.
    Card: { defaultProps: { bg: 'var(--mantine-color-body)', radius: 'md' } },
    // The Enter key takes the first option that matches the text.
    Select: { defaultProps: { selectFirstOptionOnChange: true } },
    MultiSelect: { defaultProps: { selectFirstOptionOnChange: true } },
    Tooltip: { defaultProps: { withArrow: true, openDelay: 300 } },
    // The header looks as in the tables of many rows.
    Table: { styles: { th: { fontSize: 12, fontWeight: 600, color: 'var(--mantine-color-dimmed)' } } },
    // The bar shows that a table in a card is wider than the card.
    ScrollArea: { defaultProps: { type: 'auto' } },
    // On a phone, tabs scroll instead of taking several lines.
    Tabs: { styles: { list: { flexWrap: 'nowrap', overflowX: 'auto', overflowY: 'hidden' } } },
    // Below a title, Mantine writes the text of a message in a grey that is hard to read in dark.
    Notification: { styles: { description: { color: 'var(--mantine-color-text)' } } },
    Modal: { defaultProps: { transitionProps: { duration: 120 } } },
    // The header of a dialog is not the banner of the page.
    ModalHeader: { defaultProps: { role: 'presentation' } },
    DrawerHeader: { defaultProps: { role: 'presentation' } },
  },
});

/** Text on the light background of its colour and on white, where shade 9 of Mantine cannot be read. */
const readable = {
  red: '#a31f1f',
  indigo: '#2f45ad',
  violet: '#5636b5',
  blue: '#125288',
  cyan: '#085c6c',
  teal: '#065c42',
  green: '#1e6430',
  lime: '#3c6109',
  yellow: '#7d4100',
  orange: '#9a3412',
} as const;

const readableText = Object.fromEntries(
  Object.entries(readable).flatMap(([name, colour]) => [
    [`--mantine-color-${name}-light-color`, colour],
    [`--mantine-color-${name}-text`, colour],
  ]),
);

/** Colours that Mantine does not have, or that have too little contrast in it. */
export const cssVariables: CSSVariablesResolver = () => ({
  variables: {},
  light: {
    ...readableText,
    '--roster-surface-sunken': '#f8f9fb',
    '--roster-edge-shadow': 'rgb(16 24 40 / 18%)',
    '--roster-control-border': '#868e99',
    '--mantine-color-dimmed': '#5b6472',
    '--mantine-color-placeholder': '#5b6472',
    // The small text below a field with a fault.
    '--mantine-color-error': 'var(--mantine-color-red-8)',
    '--mantine-color-default-border': '#e3e6eb',
    '--mantine-color-text': '#1a1d23',
  },
  dark: {
    '--roster-surface-sunken': '#16181d',
    '--roster-edge-shadow': 'rgb(0 0 0 / 70%)',
    '--roster-control-border': '#767d8a',
    '--mantine-color-body': '#1b1d23',
    '--mantine-color-dimmed': '#a0a7b4',
    '--mantine-color-placeholder': '#a0a7b4',
    '--mantine-color-error': 'var(--mantine-color-red-4)',
    '--mantine-color-default-border': '#30343c',
    '--mantine-color-text': '#e4e7ec',
    // Can also be read in a row under the pointer.
    '--mantine-color-anchor': 'var(--mantine-color-indigo-3)',
  },
});
