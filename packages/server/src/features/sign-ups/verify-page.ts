import type { LinkState } from './sign-ups.ts';

/** A page that a link opens. */
export interface Page {
  /** HTTP status. */
  readonly status: number;
  readonly title: string;
  readonly text: string;
  /** Label of the only button; undefined for a page without a button. */
  readonly button?: string;
}

const confirmed: Page = {
  status: 200,
  title: 'Thank you',
  text: 'Your address is confirmed. You can close this page.',
};
const invalid: Page = {
  status: 410,
  title: 'This link is no longer valid',
  text: 'The link may have expired, or only a part of it was copied. Sign up again to get a new link.',
};

/** The pages after opening a link. Opening does not confirm: link scanners open links too. */
export const openedPages: Readonly<Record<LinkState, Page>> = {
  open: { status: 200, title: 'Confirm your address', text: 'Click the button to confirm.', button: 'Confirm' },
  used: confirmed,
  invalid,
};

/** The pages after a click on the button. */
export const clickedPages: Readonly<Record<LinkState, Page>> = { open: confirmed, used: confirmed, invalid };

/** Headers of every page. The page loads nothing, and its URL must not leak: it has a token. */
export const pageHeaders = {
  'content-type': 'text/html; charset=utf-8',
  'content-security-policy':
    "default-src 'none'; style-src 'unsafe-inline'; form-action 'self'; frame-ancestors 'none'; base-uri 'none'",
  'cache-control': 'no-store',
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
  'x-robots-tag': 'noindex',
} as const;

/** Renders a page as HTML. Its texts are constants, so nothing needs to be escaped. */
export function renderPage({ title, text, button }: Page): string {
  const form = button === undefined ? '' : `<form method="post"><button>${button}</button></form>`;
  return `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title}</title>
<style>
  :root { color-scheme: light dark; font: 1.125rem/1.5 system-ui, sans-serif }
  main { max-width: 28rem; margin: 20vh auto; padding: 0 1rem; text-align: center }
  button { font: inherit; padding: .6rem 2rem; border: 0; border-radius: .4rem; background: #0b5fff; color: #fff; cursor: pointer }
  button:focus-visible { outline: 3px solid currentColor; outline-offset: 3px }
</style>
<main><h1>${title}</h1><p>${text}</p>${form}</main>
</html>
`;
}
