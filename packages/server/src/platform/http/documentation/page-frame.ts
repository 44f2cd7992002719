import { markup, type Markup } from '#platform/text/markup.ts';
import { navigation } from './navigation.ts';
import { addressOf, type Documents } from './read-documents.ts';

/** What a page of the documentation has besides its content. */
export interface PageFrame {
  readonly title: string;
  /** Path below `/docs`. */
  readonly path: string;
  readonly documents: Documents;
  /** The groups of operations, by the last part of their address. */
  readonly groups: ReadonlyMap<string, string>;
  /** Sections of the page, for the list of contents. */
  readonly sections?: readonly { readonly title: string; readonly anchor: string }[];
  /** What was searched for. */
  readonly words?: string;
  /** The page has columns for text and code, and needs all of the width. */
  readonly isWide?: boolean;
}

/** Returns a whole page: the head, the navigation, the content and the list of its sections. */
export function framePage(frame: PageFrame, content: Markup): string {
  const { title, words = '', sections = [], isWide = false } = frame;
  const page = markup`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<meta name="color-scheme" content="light dark">
<title>${title} · Roster</title>
<link rel="stylesheet" href="/docs/assets/documentation.css">
<link rel="icon" href="/console/icon.svg">
<script src="/docs/assets/documentation.js" defer></script>
</head>
<body>
<a class="skip" href="#page-content">Skip to the content</a>
<header>
<a class="brand" href="/docs">Roster <span>Documentation</span></a>
<form action="/docs/search" role="search"><input type="search" name="q" value="${words}" placeholder="Search" aria-label="Search the documentation" maxlength="200"></form>
<nav aria-label="Places"><a class="narrow" href="#page-tree">Pages</a><a href="/docs/api">API reference</a><a href="/console">Console</a></nav>
</header>
<div class="columns">
<nav class="tree" id="page-tree" aria-label="Pages">
${navigationOf(frame)}</nav>
<main id="page-content" class="${isWide ? 'wide' : 'text'}">
${content}</main>
${sections.length < 3 ? [] : [contentsOf(sections)]}
</div>
</body>
</html>
`;
  return page.toString();
}

function navigationOf({ path, documents, groups }: PageFrame): Markup[] {
  const link = (target: string, text: string): Markup =>
    target === path
      ? markup`<li><a href="${addressOf(target)}" aria-current="page">${text}</a></li>\n`
      : markup`<li><a href="${addressOf(target)}">${text}</a></li>\n`;
  const section = (title: string, targets: readonly (readonly [string, string])[]): Markup => {
    const links = targets.map(([target, text]) => link(target, text));
    const isHere = targets.some(([target]) => target === path);
    const list = markup`<summary>${title}</summary><ul>${links}</ul>`;
    return isHere || title === 'Guides'
      ? markup`<details open>${list}</details>\n`
      : markup`<details>${list}</details>\n`;
  };
  const [first, ...rest] = navigation.map(({ title, paths }) =>
    section(
      title,
      paths.flatMap((target) => {
        const document = documents.get(target);
        return document === undefined ? [] : [[target, shortTitle(document.title)] as const];
      }),
    ),
  );
  const reference = section('API reference', [
    ['api', 'Overview'],
    ...Array.from(groups, ([slug, name]) => [`api/${slug}`, name] as const),
  ]);
  return [first!, reference, ...rest];
}

/** Leaves out the words that the section of the navigation already says. */
function shortTitle(title: string): string {
  return title
    .replace(/^Guide for (.)/, (_, first: string) => first.toUpperCase())
    .replace(/^Moving in from (?:a )?/, '');
}

function contentsOf(sections: readonly { readonly title: string; readonly anchor: string }[]): Markup {
  const links = sections.map(({ title, anchor }) => markup`<li><a href="#${anchor}">${title}</a></li>\n`);
  return markup`<nav class="contents" aria-label="On this page"><p>On this page</p><ul>${links}</ul></nav>`;
}
