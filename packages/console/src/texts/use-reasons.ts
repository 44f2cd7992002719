import { useCallback, useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { currentLanguage } from './load-texts.ts';

type Reasons = Readonly<Record<string, string>>;

const none: Reasons = {};

/** Loads the reasons of failures in a language. English ones need no translation. */
async function loadReasons(language: string): Promise<Reasons> {
  return language === 'de' ? (await import('./de/parts/reasons.ts')).reasons : none;
}

/** Translates the reason of a failure that the service sent. A reason with details stays English. */
export async function translateReason(message: string): Promise<string> {
  return (await loadReasons(currentLanguage()))[message] ?? message;
}

/** Returns the function that translates the reasons of failures, as {@link translateReason} does. */
export function useReasons(): (message: string) => string {
  const [reasons, setReasons] = useState(none);
  const { language } = useTranslation('common').i18n;
  useEffect(() => {
    let isCurrent = true;
    void loadReasons(language).then((loaded) => {
      if (isCurrent) setReasons(loaded);
    });
    return () => {
      isCurrent = false;
    };
  }, [language]);
  return useCallback((message) => reasons[message] ?? message, [reasons]);
}
