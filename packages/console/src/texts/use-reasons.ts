import { useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { currentLanguage } from './load-texts.ts';

type Translate = (message: string) => string;

const unchanged: Translate = (message) => message;
let german: Translate | undefined;

/** Loads the reasons of failures in a language. English ones need no translation. */
async function loadTranslation(language: string): Promise<Translate> {
  if (language !== 'de') return unchanged;
  if (german === undefined) {
    // Only Germans need this code and these texts.
    const [{ createReasonTranslator }, reasons, sentences] = await Promise.all([
      import('./translate-reason.ts'),
      import('./de/parts/reasons.ts'),
      import('./de/parts/reason-sentences.ts'),
    ]);
    german = createReasonTranslator({ ...reasons, ...sentences });
  }
  return german;
}

/** Prepares {@link translateLoaded}. The client of the API waits for it before a request fails. */
export async function loadReasons(): Promise<void> {
  // Without a connection, the reasons stay English.
  await loadTranslation(currentLanguage()).catch(() => unchanged);
}

/** Translates a reason as {@link translateReason} does, if {@link loadReasons} was called before. */
export function translateLoaded(message: string): string {
  return currentLanguage() === 'de' && german !== undefined ? german(message) : message;
}

/** Translates the reason of a failure that the service sent. */
export async function translateReason(message: string): Promise<string> {
  return (await loadTranslation(currentLanguage()))(message);
}

/** Returns the function that translates the reasons of failures, as {@link translateReason} does. */
export function useReasons(): Translate {
  const [translate, setTranslate] = useState<Translate>(() => unchanged);
  const { language } = useTranslation('common').i18n;
  useEffect(() => {
    let isCurrent = true;
    void loadTranslation(language).then((loaded) => {
      if (isCurrent) setTranslate(() => loaded);
    });
    return () => {
      isCurrent = false;
    };
  }, [language]);
  return translate;
}
