import { Marked, type RendererObject, type Tokens } from 'marked';
import { Markup, markup } from '#platform/text/markup.ts';

/** Where a link leads. */
export interface LinkTarget {
  readonly address: string;
  /** Title of the page. It replaces a text that is only the name of a file. */
  readonly title?: string;
}

/** Returns where a link leads; undefined shows its text without a link. */
export type LinkResolver = (target: string) => LinkTarget | undefined;

/** Options of {@link renderMarkdown}. */
export interface MarkdownOptions {
  readonly resolve: LinkResolver;
  /** Begins the anchor of each heading, if a page has several texts; default: nothing. */
  readonly prefix?: string;
}

/** Renders a page in Markdown. HTML in it is shown as text, and comments are left out. */
export function renderMarkdown(text: string, { resolve, prefix = '' }: MarkdownOptions): Markup {
  return new Markup(new Marked({ renderer: rendererOf(resolve, prefix) }).parse(text, { async: false }));
}

/** Renders a text without paragraphs, such as one line. */
export function renderInline(text: string, resolve: LinkResolver): Markup {
  return new Markup(new Marked({ renderer: rendererOf(resolve, '') }).parseInline(text, { async: false }));
}

/** Returns the anchor of a heading, as GitHub makes it. */
export function anchorOf(text: string): string {
  return text
    .toLowerCase()
    .replaceAll(/[^\w\- ]/g, '')
    .replaceAll(' ', '-');
}

/** Returns code in a box that the keyboard can scroll. */
export function codeBlock(code: string): Markup {
  return markup`<pre tabindex="0"><code>${code}</code></pre>\n`;
}

/** What differs from the HTML of the library. Its methods return HTML. */
function rendererOf(resolve: LinkResolver, prefix: string): RendererObject {
  return {
    html: ({ text }) => (text.startsWith('<!--') ? '' : markup`${text}`.toString()),
    code: ({ text }) => codeBlock(text).toString(),
    heading({ tokens, depth, text }) {
      const id = `${prefix}${anchorOf(text)}`;
      const content = new Markup(this.parser.parseInline(tokens));
      if (depth === 1) return markup`<h1 id="${id}">${content}</h1>\n`.toString();
      const link = markup`<a class="anchor" href="#${id}" aria-label="Link to this section">#</a>`;
      return (
        depth === 2 ? markup`<h2 id="${id}">${content}${link}</h2>\n` : markup`<h3 id="${id}">${content}${link}</h3>\n`
      ).toString();
    },
    table({ header, rows }) {
      const inline = ({ tokens }: Tokens.TableCell) => new Markup(this.parser.parseInline(tokens));
      const headings = header.map((cell) => markup`<th scope="col">${inline(cell)}</th>`);
      const body = rows.map((row) => markup`<tr>${row.map((cell) => markup`<td>${inline(cell)}</td>`)}</tr>\n`);
      const isBare = header.every(({ text }) => text === '');
      const top = isBare ? [] : [markup`<thead><tr>${headings}</tr></thead>\n`];
      return markup`<div class="scroll" role="group" aria-label="Table" tabindex="0"><table>\n${top}<tbody>\n${body}</tbody></table></div>\n`.toString();
    },
    link({ href, text, tokens }) {
      const link = resolve(href);
      const isFileName = /^[\w./-]+\.md$/.test(text);
      const content =
        isFileName && link?.title !== undefined ? markup`${link.title}` : new Markup(this.parser.parseInline(tokens));
      return (link === undefined ? content : markup`<a href="${link.address}">${content}</a>`).toString();
    },
    image: ({ href, text }) => markup`<img src="${resolve(href)?.address ?? ''}" alt="${text}">`.toString(),
  };
}
