import { markup, type Markup } from '#platform/text/markup.ts';
import { type LinkResolver, renderInline } from './inline.ts';

const fence = /^( *)```(\w*)/;
const heading = /^(#{1,6}) +(.*?) *#*$/;
const item = /^( *)(?:[-*]|(\d+)\.) +/;
const separator = /^ *\|? *:?-+:? *(?:\| *:?-+:? *)*\|? *$/;

/**
 * Renders a page in Markdown as HTML. It knows the parts of Markdown that the documents of Roster
 * use: headings, paragraphs, lists, tables, code and quotes. HTML in a page is shown as text, and
 * comments are left out. A test renders every document and looks for marks that are left.
 */
export function renderMarkdown(text: string, { resolve, prefix = '' }: MarkdownOptions): Markup {
  const lines = text.replaceAll(/<!--.*?-->\n?/gs, '').split('\n');
  return markup`${new Blocks(lines, { resolve, prefix }).render()}`;
}

/** Options of {@link renderMarkdown}. */
export interface MarkdownOptions {
  readonly resolve: LinkResolver;
  /** Begins the anchor of each heading, if a page has several texts; default: nothing. */
  readonly prefix?: string;
}

/** Returns the anchor of a heading, as GitHub makes it. */
export function anchorOf(text: string): string {
  return text
    .toLowerCase()
    .replaceAll(/[^\w\- ]/g, '')
    .replaceAll(' ', '-');
}

/** Reads lines from the first to the last, and makes one piece of HTML of each block. */
class Blocks {
  readonly #lines: readonly string[];
  readonly #options: Required<MarkdownOptions>;
  #at = 0;

  constructor(lines: readonly string[], options: Required<MarkdownOptions>) {
    this.#lines = lines;
    this.#options = options;
  }

  render(): Markup[] {
    const blocks: Markup[] = [];
    while (this.#at < this.#lines.length) {
      if (this.#line() === '') this.#at += 1;
      else blocks.push(this.#block());
    }
    return blocks;
  }

  /** Returns a line without blanks at its end; empty after the last line. */
  #line(offset = 0): string {
    return (this.#lines[this.#at + offset] ?? '').trimEnd();
  }

  /** Takes lines while they belong together. */
  #take(belongs: (line: string) => boolean): string[] {
    const from = this.#at;
    while (this.#at < this.#lines.length && belongs(this.#line())) this.#at += 1;
    return this.#lines.slice(from, this.#at).map((line) => line.trimEnd());
  }

  #block(): Markup {
    const line = this.#line();
    if (fence.test(line)) return this.#fencedCode();
    if (heading.test(line)) return this.#heading();
    if (line.startsWith('|') && separator.test(this.#line(1))) return this.#table();
    if (item.test(line)) return this.#list();
    if (line.startsWith('    ')) return codeBlock(this.#indentedCode());
    if (line.startsWith('>')) return this.#quote();
    if (/^(?:---+|\*\*\*+)$/.test(line)) {
      this.#at += 1;
      return markup`<hr>`;
    }
    const text = this.#take((next) => next !== '' && !isBlockStart(next));
    // A line that begins no block must still be taken, or reading would never end.
    if (text.length === 0) text.push(...this.#lines.slice(this.#at, ++this.#at));
    return markup`<p>${this.#inline(text.map((part) => part.trim()).join('\n'))}</p>\n`;
  }

  #inline(text: string): Markup {
    return renderInline(text, this.#options.resolve);
  }

  #heading(): Markup {
    const [, marks, text] = heading.exec(this.#line())!;
    this.#at += 1;
    const [content, id] = [this.#inline(text!), `${this.#options.prefix}${anchorOf(text!)}`];
    if (marks!.length === 1) return markup`<h1 id="${id}">${content}</h1>\n`;
    const link = markup`<a class="anchor" href="#${id}" aria-label="Link to this section">#</a>`;
    if (marks!.length === 2) return markup`<h2 id="${id}">${content}${link}</h2>\n`;
    return markup`<h3 id="${id}">${content}${link}</h3>\n`;
  }

  #fencedCode(): Markup {
    const indent = fence.exec(this.#line())![1]!.length;
    this.#at += 1;
    const code = this.#take((line) => !line.trimStart().startsWith('```'));
    this.#at += 1;
    return codeBlock(code.map((line) => line.slice(Math.min(indent, line.search(/\S|$/)))));
  }

  #indentedCode(): string[] {
    const code = this.#take((line) => line === '' || line.startsWith('    '));
    while (code.at(-1) === '') code.pop();
    return code.map((line) => line.slice(4));
  }

  #quote(): Markup {
    const lines = this.#take((line) => line.startsWith('>')).map((line) => line.replace(/^> ?/, ''));
    return markup`<blockquote>${new Blocks(lines, this.#options).render()}</blockquote>\n`;
  }

  #table(): Markup {
    const [head, , ...rows] = this.#take((line) => line.startsWith('|')).map(cellsOf);
    const headings = head!.map((cell) => markup`<th scope="col">${this.#inline(cell)}</th>`);
    const body = rows.map((row) => markup`<tr>${row.map((cell) => markup`<td>${this.#inline(cell)}</td>`)}</tr>\n`);
    const isBare = head!.every((cell) => cell === '');
    const top = isBare ? [] : [markup`<thead><tr>${headings}</tr></thead>\n`];
    return markup`<div class="scroll" role="group" aria-label="Table" tabindex="0"><table>\n${top}<tbody>\n${body}</tbody></table></div>\n`;
  }

  #list(): Markup {
    const [, indent, number] = item.exec(this.#line())!;
    const isSibling = (line: string): boolean => {
      const next = item.exec(line);
      return next !== null && next[1] === indent && (next[2] === undefined) === (number === undefined);
    };
    const items: Markup[] = [];
    while (isSibling(this.#line())) {
      items.push(this.#item());
      // Blank lines between two items do not end the list.
      let blanks = 0;
      while (this.#line(blanks) === '' && this.#at + blanks < this.#lines.length) blanks += 1;
      if (isSibling(this.#line(blanks))) this.#at += blanks;
    }
    return number === undefined ? markup`<ul>${items}</ul>\n` : markup`<ol start="${number}">${items}</ol>\n`;
  }

  #item(): Markup {
    const width = item.exec(this.#line())![0].length;
    const lines = [this.#line().slice(width)];
    this.#at += 1;
    for (; this.#at < this.#lines.length; this.#at += 1) {
      const line = this.#line();
      const isInside = line.startsWith(' '.repeat(width));
      const continues = line === '' ? this.#line(1).startsWith(' '.repeat(width)) : isInside;
      const isLazy = lines.at(-1) !== '' && line !== '' && !isBlockStart(line);
      if (!continues && !isLazy) break;
      lines.push(isInside ? line.slice(width) : line.trimStart());
    }
    const blocks = new Blocks(lines, this.#options);
    const isPlain = lines.every((line) => line !== '' && !isBlockStart(line) && !line.startsWith('    '));
    return isPlain ? markup`<li>${this.#inline(lines.join('\n'))}</li>\n` : markup`<li>${blocks.render()}</li>\n`;
  }
}

/** Tells whether a line begins another block than a paragraph. */
function isBlockStart(line: string): boolean {
  return fence.test(line) || heading.test(line) || item.test(line) || /^(?:[|>]|---)/.test(line);
}

/** Splits a row of a table at its bars. `\|` is a bar inside a cell. */
function cellsOf(row: string): string[] {
  const cells = row
    .replace(/^\|/, '')
    .replace(/\|$/, '')
    .split(/(?<!\\)\|/);
  return cells.map((cell) => cell.trim().replaceAll(String.raw`\|`, '|'));
}

/** Returns lines of code in a box that the keyboard can scroll. */
export function codeBlock(lines: readonly string[]): Markup {
  return markup`<pre tabindex="0"><code>${lines.join('\n')}</code></pre>\n`;
}
