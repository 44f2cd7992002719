import { markup, type Markup } from '#platform/text/markup.ts';

/** Where a link leads. */
export interface LinkTarget {
  readonly address: string;
  /** Title of the page. It replaces a text that is only the name of a file. */
  readonly title?: string;
}

/** Returns where a link leads; undefined shows its text without a link. */
export type LinkResolver = (target: string) => LinkTarget | undefined;

// The first alternative that matches wins, so code is never searched for other marks.
const marks =
  /(?<code>`+)(?<codeText>.+?)(?<!`)\k<code>(?!`)|\\(?<escaped>[!-/:-@[-`{-~])|!\[(?<imageText>[^\]]*)\]\((?<image>[^)\s]+)\)|\[(?<linkText>(?:`[^`]*`|\\.|[^[\]\\`])*)\]\((?<target>[^)\s]+)\)|<(?<address>https?:\/\/[^>\s]+)>|\*\*(?<bold>(?:`[^`]*`|[^`])+?)\*\*|(?<!\w)_(?<italic>[^_]+)_(?!\w)|\*(?<star>[^*\s][^*]*)\*/g;

/** Renders the text of a paragraph, heading or cell: code, links, images, bold and italic. */
export function renderInline(text: string, resolve: LinkResolver): Markup {
  const parts: Markup[] = [];
  let end = 0;
  for (const match of text.matchAll(marks)) {
    parts.push(markup`${text.slice(end, match.index)}`, renderMark(match.groups!, resolve));
    end = match.index + match[0].length;
  }
  parts.push(markup`${text.slice(end)}`);
  return markup`${parts}`;
}

function renderMark(found: Readonly<Record<string, string | undefined>>, resolve: LinkResolver): Markup {
  if (found['codeText'] !== undefined) return markup`<code>${found['codeText'].replace(/^ (.*) $/, '$1')}</code>`;
  if (found['escaped'] !== undefined) return markup`${found['escaped']}`;
  if (found['image'] !== undefined)
    return markup`<img src="${resolve(found['image'])?.address ?? ''}" alt="${found['imageText'] ?? ''}">`;
  if (found['target'] !== undefined) return renderLink(found['linkText'] ?? '', found['target'], resolve);
  if (found['address'] !== undefined) return markup`<a href="${found['address']}">${found['address']}</a>`;
  if (found['bold'] !== undefined) return markup`<strong>${renderInline(found['bold'], resolve)}</strong>`;
  return markup`<em>${renderInline(found['italic'] ?? found['star'] ?? '', resolve)}</em>`;
}

function renderLink(text: string, target: string, resolve: LinkResolver): Markup {
  const link = resolve(target);
  const isFileName = /^[\w./-]+\.md$/.test(text);
  const content = isFileName && link?.title !== undefined ? markup`${link.title}` : renderInline(text, resolve);
  return link === undefined ? content : markup`<a href="${link.address}">${content}</a>`;
}
