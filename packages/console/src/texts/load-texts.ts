import { createInstance } from 'i18next';
import { initReactI18next } from 'react-i18next';
import { areas as german } from './de/index.ts';
import { areas as english } from './en/index.ts';
import { plainDirection } from './plain-direction.ts';

/** The areas of the catalogue: one file for each, in the folder of each language. */
export type Area = keyof typeof english;

/** The languages of the console, with their own names. */
export const languages = { en: 'English', de: 'Deutsch' } as const;

/** A language of the console. */
export type Language = keyof typeof languages;

/** All texts by area, which type the keys of `t`. */
export type Catalogue = { readonly [Name in Area]: Awaited<ReturnType<(typeof english)[Name]>>['texts'] };

const loaders = { en: english, de: german } as const;
const storageKey = 'roster-language';

/** The instance of i18next that all components use. */
export const i18n = createInstance();

/** Prepares the texts for the first page. */
export async function startTexts(): Promise<void> {
  await i18n.use(initReactI18next).init({
    lng: preferredLanguage(),
    fallbackLng: false,
    ns: [],
    defaultNS: 'common',
    // React escapes HTML.
    interpolation: { escapeValue: true, escape: plainDirection },
    returnNull: false,
    // A text of an area that the page has not loaded. The browser tests fail at it.
    saveMissing: true,
    missingKeyHandler(_languages, area, key, _fallback, _update, options: { defaultValue?: string }) {
      if (options.defaultValue === undefined) reportError(new Error(`The text ${area}.${key} is not loaded`));
    },
  });
  document.documentElement.lang = i18n.language;
  await Promise.all([loadTexts('common'), loadTexts('shell')]);
}

/** Loads the texts of an area in the current language. */
export async function loadTexts(area: Area): Promise<void> {
  const language = currentLanguage();
  if (i18n.hasResourceBundle(language, area)) return;
  const { texts } = await loaders[language][area]();
  i18n.addResourceBundle(language, area, texts);
}

/** Returns the language of the texts. */
export function currentLanguage(): Language {
  return i18n.language === 'de' ? 'de' : 'en';
}

/** Changes the language of all texts, and remembers it in this browser. */
export async function changeLanguage(language: Language): Promise<void> {
  const loaded = (Object.keys(english) as Area[]).filter((area) => i18n.hasResourceBundle(currentLanguage(), area));
  await Promise.all(
    loaded.map(async (area) => {
      i18n.addResourceBundle(language, area, (await loaders[language][area]()).texts);
    }),
  );
  try {
    localStorage.setItem(storageKey, language);
  } catch {
    // The browser allows no storage. The language lasts until the page is closed.
  }
  await i18n.changeLanguage(language);
  document.documentElement.lang = language;
}

function preferredLanguage(): Language {
  let chosen: string | null = null;
  try {
    chosen = localStorage.getItem(storageKey);
  } catch {
    // The browser allows no storage. Use the language of the browser.
  }
  const wanted = [chosen, ...navigator.languages].map((name) => name?.slice(0, 2));
  return wanted.find((name): name is Language => name !== undefined && Object.hasOwn(languages, name)) ?? 'en';
}
