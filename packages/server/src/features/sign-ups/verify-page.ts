import { markup } from '#platform/text/markup.ts';
import type { LinkView } from './sign-ups.ts';

/** A language of the page. */
export type PageLanguage = 'en' | 'de';

interface PageTexts {
  readonly title: string;
  readonly text: (accountName: string) => string;
  /** Label of the only button; undefined for a page without a button. */
  readonly button?: string;
}

/** What a link shows: the question, the thanks, or that it is not valid. */
type Shown = 'question' | 'confirmed' | 'invalid';

const texts: Readonly<Record<PageLanguage, Readonly<Record<Shown, PageTexts>>>> = {
  en: {
    question: {
      title: 'Confirm your address',
      text: (accountName) => `You signed up at ${accountName}. Click the button to confirm.`,
      button: 'Confirm',
    },
    confirmed: {
      title: 'Thank you',
      text: (accountName) => `Your address is confirmed for ${accountName}. You can close this page.`,
    },
    invalid: {
      title: 'This link is no longer valid',
      text: () => 'The link may have expired, or only a part of it was copied. Sign up again to get a new link.',
    },
  },
  de: {
    question: {
      title: 'Adresse bestätigen',
      text: (accountName) => `Sie haben sich bei ${accountName} angemeldet. Klicken Sie zum Bestätigen auf den Knopf.`,
      button: 'Bestätigen',
    },
    confirmed: {
      title: 'Vielen Dank',
      text: (accountName) => `Ihre Adresse ist für ${accountName} bestätigt. Sie können diese Seite schließen.`,
    },
    invalid: {
      title: 'Dieser Link ist nicht mehr gültig',
      text: () =>
        'Der Link ist abgelaufen, oder nur ein Teil davon wurde kopiert. Melden Sie sich noch einmal an, um einen neuen Link zu bekommen.',
    },
  },
};

/** Headers of every page. The page loads nothing, and its URL must not leak: it has a token. */
export const pageHeaders = {
  'content-type': 'text/html; charset=utf-8',
  'content-security-policy':
    "default-src 'none'; style-src 'unsafe-inline'; form-action 'self'; frame-ancestors 'none'; base-uri 'none'",
  'cache-control': 'no-store',
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
  'x-robots-tag': 'noindex',
  vary: 'accept-language',
} as const;

/** Returns what an opened link shows. Opening does not confirm: link scanners open links too. */
export function openedPage(link: LinkView): Shown {
  return link.state === 'open' ? 'question' : clickedPage(link);
}

/** Returns what is shown after a click on the button. */
export function clickedPage({ state }: LinkView): Shown {
  return state === 'invalid' ? 'invalid' : 'confirmed';
}

/** Returns the language of a page: the one that the browser prefers, or English. */
export function languageOf(acceptLanguage: string | undefined): PageLanguage {
  const wanted = (acceptLanguage ?? '').split(',').map((range, at) => {
    const [tag = '', ...parameters] = range
      .trim()
      .toLowerCase()
      .split(/\s*;\s*/);
    const quality = parameters.find((parameter) => parameter.startsWith('q='))?.slice(2);
    return { language: tag.slice(0, 2), quality: quality === undefined ? 1 : Number(quality), at };
  });
  const known = wanted.filter(({ language, quality }) => (language === 'en' || language === 'de') && quality > 0);
  const [first] = known.sort((a, b) => b.quality - a.quality || a.at - b.at);
  return first?.language === 'de' ? 'de' : 'en';
}

/** Renders a page as HTML. It names the account that has sent the link. */
export function renderPage(shown: Shown, language: PageLanguage, accountName = ''): string {
  const { title, text, button } = texts[language][shown];
  const form = button === undefined ? '' : markup`<form method="post"><button>${button}</button></form>`;
  return markup`<!doctype html>
<html lang="${language}">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title}</title>
<style>
  :root { color-scheme: light dark; font: 1.125rem/1.5 system-ui, sans-serif }
  main { max-width: 28rem; margin: 20vh auto; padding: 0 1rem; text-align: center; overflow-wrap: anywhere }
  button { font: inherit; padding: .6rem 2rem; border: 0; border-radius: .4rem; background: #0b5fff; color: #fff; cursor: pointer }
  button:focus-visible { outline: 3px solid currentColor; outline-offset: 3px }
</style>
<main><h1>${title}</h1><p>${text(accountName)}</p>${form}</main>
</html>
`.toString();
}

/** Returns the HTTP status of a page. */
export const statusOf = (shown: Shown): number => (shown === 'invalid' ? 410 : 200);
