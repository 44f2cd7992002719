import { markup, type Markup } from '#platform/text/markup.ts';
import { addressOf, type Documents } from './read-documents.ts';
import { anchorOf } from './markdown/markdown.ts';

/** A place in the documentation: a section of a document, or an operation. */
interface Place {
  readonly title: string;
  readonly section: string;
  readonly address: string;
  readonly text: string;
}

/** Maximum number of places in an answer. */
const limit = 30;

/** Returns the places of all documents: each section from its heading to the next one. */
export function placesOf(documents: Documents): Place[] {
  return [...documents.values()].flatMap(({ path, title, text }) =>
    text.split(/^(?=##? )/m).map((part) => {
      const heading = /^(##?) (.*)/.exec(part);
      const section = heading?.[1] === '##' ? heading[2]! : '';
      const hash = section === '' ? '' : `#${anchorOf(section)}`;
      return { title, section, address: `${addressOf(path)}${hash}`, text: part };
    }),
  );
}

/** Finds the places that contain all words, in any letter case. Those with words in the title are first. */
export function searchPlaces(places: readonly Place[], words: string): Place[] {
  const wanted = words
    .toLowerCase()
    .split(/\s+/)
    .filter((word) => word !== '')
    .slice(0, 20);
  if (wanted.length === 0) return [];
  const scored = places.flatMap((place) => {
    const heading = `${place.title} ${place.section}`.toLowerCase();
    const text = `${heading} ${place.text.toLowerCase()}`;
    if (!wanted.every((word) => text.includes(word))) return [];
    return [{ place, score: wanted.filter((word) => heading.includes(word)).length }];
  });
  // The sort is stable, so places of the same score keep the order of the documents.
  return scored
    .sort((a, b) => b.score - a.score)
    .slice(0, limit)
    .map(({ place }) => place);
}

/** Renders the page with the places that a search found. */
export function renderFound(words: string, found: readonly Place[]): Markup {
  const items = found.map(
    ({ title, section, address, text }) =>
      markup`<li><a href="${address}">${section === '' ? title : `${title}: ${section}`}</a><p>${excerpt(text, words)}</p></li>\n`,
  );
  const result =
    words.trim() === ''
      ? markup`<p>Type what you are looking for into the field above.</p>`
      : found.length === 0
        ? markup`<p>No page contains all of “${words}”. Try fewer or other words.</p>`
        : markup`<ol class="found">${items}</ol>`;
  return markup`<h1>Search</h1>\n${result}\n`;
}

/** Returns the text around the first word, without marks of Markdown. */
function excerpt(text: string, words: string): string {
  const plain = text
    .replace(/^#+ .*/, '')
    .replaceAll(/\]\([^)]*\)|[`*|[\]]|-{3,}/g, ' ')
    .replaceAll(/\s+/g, ' ')
    .trim();
  const at = Math.max(0, plain.toLowerCase().indexOf(words.toLowerCase().trim().split(/\s+/)[0]!) - 60);
  return `${at > 0 ? '… ' : ''}${plain.slice(at, at + 180)}${plain.length > at + 180 ? ' …' : ''}`;
}
