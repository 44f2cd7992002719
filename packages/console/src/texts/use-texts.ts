import type { TFunction } from 'i18next';
import { useTranslation } from 'react-i18next';
import type { Area, Catalogue } from './load-texts.ts';

declare module 'i18next' {
  interface CustomTypeOptions {
    defaultNS: 'common';
    resources: Catalogue;
    returnNull: false;
  }
}

/** Returns the function that gives the texts of an area: `t('title')`. */
export function useTexts<Name extends Area>(area: Name): TFunction<Name> {
  const { t } = useTranslation(area as 'common');
  return t as unknown as TFunction<Name>;
}
