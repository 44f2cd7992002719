import { useCallback, useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { currentLanguage } from './load-texts.ts';

type Translate = (message: string) => string;

const asItIs: Translate = (message) => message;

/** Loads the reasons of failures in a language. English ones need no translation. */
async function loadReasons(language: string): Promise<Translate> {
  return language === 'de' ? (await import('./de/parts/reasons.ts')).germanReason : asItIs;
}

/** Translates the reason of a failure that the service sent. A reason with details stays English. */
export async function translateReason(message: string): Promise<string> {
  return (await loadReasons(currentLanguage()))(message);
}

/** Returns the function that translates the reasons of failures, as {@link translateReason} does. */
export function useReasons(): Translate {
  const [translate, setTranslate] = useState<{ readonly by: Translate }>({ by: asItIs });
  const { language } = useTranslation('common').i18n;
  useEffect(() => {
    let isCurrent = true;
    void loadReasons(language).then((by) => {
      if (isCurrent) setTranslate({ by });
    });
    return () => {
      isCurrent = false;
    };
  }, [language]);
  return useCallback((message) => translate.by(message), [translate]);
}
