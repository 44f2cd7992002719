/** A piece of HTML. Only {@link markup} creates it, so that plain text is never used as HTML. */
export class Markup {
  readonly #html: string;

  constructor(html: string) {
    this.#html = html;
  }

  toString(): string {
    return this.#html;
  }
}

/** A value in a {@link markup} template: text, which is escaped, or HTML. */
export type MarkupValue = string | number | Markup | readonly Markup[];

/**
 * Template tag that makes HTML. The template is HTML, and its values are escaped.
 *
 * Use values only as the content of elements, and as attribute values in quotes. Elsewhere,
 * escaping is not enough. The tag is not named `html`, because formatters change whitespace in
 * `html` templates.
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
