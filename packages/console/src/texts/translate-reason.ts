/**
 * The reasons of failures in a language, by their English texts.
 *
 * - `reasons`: the texts of the catalogues
 * - `sentences`: single sentences of reasons with details. `{1}`, `{2}` and `{3}` stand for the
 *   details, such as the name of a column, which are not translated
 */
export interface ReasonTexts {
  readonly reasons: Readonly<Record<string, string>>;
  readonly sentences: Readonly<Record<string, string>>;
}

interface Template {
  readonly pattern: RegExp;
  readonly text: string;
}

/** Longer reasons stay English. None of the service has so many characters. */
const maxLength = 8000;
const maxSentences = 60;

/** Returns a function that translates a reason. A reason with an unknown sentence stays English. */
export function createReasonTranslator({ reasons, sentences }: ReasonTexts): (message: string) => string {
  const templates = Object.entries(sentences).map(([english, text]): Template => {
    const source = english.replaceAll(/[$()*+.?[\\\]^{|}]/g, String.raw`\$&`).replaceAll(/\\\{\d\\\}/g, '(.+)');
    return { pattern: new RegExp(`^${source}$`, 's'), text };
  });
  const cache = new Map<string, string>();

  function sentenceOf(english: string): string | undefined {
    if (Object.hasOwn(reasons, english)) return reasons[english];
    // The code of a system error after a reason, such as `(ECONNREFUSED)`.
    if (/^\([A-Z][A-Z0-9_]*\)$/.test(english)) return english;
    for (const { pattern, text } of templates) {
      const found = pattern.exec(english);
      if (found !== null) return text.replaceAll(/\{(\d)\}/g, (_, number: string) => found[Number(number)] ?? '');
    }
    return undefined;
  }

  function translate(message: string): string {
    if (message.length > maxLength) return message;
    const parts = message.split(/(?<=[.?!]) /);
    if (parts.length > maxSentences) return message;
    const translated: string[] = [];
    for (let from = 0; from < parts.length;) {
      // The name of a column can look like the end of a sentence.
      let to = from + 1;
      let text: string | undefined;
      for (; to <= parts.length; to++) {
        text = sentenceOf(parts.slice(from, to).join(' '));
        if (text !== undefined) break;
      }
      if (text === undefined) return message;
      translated.push(text);
      from = to;
    }
    return translated.join(' ');
  }

  return (message) => {
    const known = reasons[message] ?? cache.get(message);
    if (known !== undefined) return known;
    const translated = translate(message);
    // A page shows few different reasons.
    if (cache.size < 1000) cache.set(message, translated);
    return translated;
  };
}
