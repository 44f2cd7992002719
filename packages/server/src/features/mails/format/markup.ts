/** A piece of HTML; made only by {@link markup}, so that text never becomes markup by accident. */
export class Markup {
  readonly #html: string;

  constructor(html: string) {
    this.#html = html;
  }

  toString(): string {
    return this.#html;
  }
}

/** What can stand in a place of a {@link markup} template: text, which is escaped, or HTML. */
export type MarkupValue = string | number | Markup | readonly Markup[];

/**
 * Writes HTML: what stands in the template is markup, what stands in its places is text and escaped.
 *
 * Places are contents of elements and attribute values in quotes; nowhere else would escaping be enough. It is not called `html`, because
 * formatters would then change the whitespace of the mails.
 */
export function markup(template: TemplateStringsArray, ...values: readonly MarkupValue[]): Markup {
  const parts = template.flatMap((part, at) => (at < values.length ? [part, markupOf(values[at]!)] : [part]));
  return new Markup(parts.join(''));
}

function markupOf(value: MarkupValue): string {
  if (value instanceof Markup) return value.toString();
  if (typeof value === 'object') return value.map(markupOf).join('');
  return escapeHtml(String(value));
}

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

function escapeHtml(text: string): string {
  return text.replaceAll(/[&<>"']/g, (character) => entities[character]!);
}
