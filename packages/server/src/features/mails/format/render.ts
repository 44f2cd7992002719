import { markup, type Markup } from '#platform/text/markup.ts';
import type { MailBlock, MailDocument, MailFact, RenderedMail } from './mail-document.ts';
import { oneLine, shortened } from './one-line.ts';

/** Maximum characters of a subject. Mail programs show about 70, and names have up to 255. */
const maxSubject = 200;
/** Maximum characters of any other text of a mail. */
const maxText = 2000;

/** Makes the plain text and the HTML of a mail. No text can add a line, a header or HTML. */
export function renderMail(document: MailDocument): RenderedMail {
  const subject = shortened(oneLine(document.subject), maxSubject);
  const footer = cleanText(document.footer);
  const blocks = document.blocks.map(cleanBlock);
  const text = [subject, ...blocks.map(textOf), footer].join('\n\n');
  return { subject, text: `${text}\n`, html: page(subject, blocks.map(htmlOf), footer).toString() };
}

function cleanText(text: string): string {
  return shortened(oneLine(text), maxText);
}

function cleanBlock(block: MailBlock): MailBlock {
  switch (block.kind) {
    case 'paragraph':
      return { ...block, text: cleanText(block.text) };
    case 'facts':
      return { ...block, facts: givenFacts(block.facts).map(([name, value]) => [name, cleanText(value)]) };
    case 'link':
      return { ...block, label: cleanText(block.label), url: oneLine(block.url) };
  }
}

function givenFacts(facts: readonly MailFact[]): (readonly [name: string, value: string])[] {
  return facts.flatMap(([name, value]) => (value === undefined ? [] : [[name, value] as const]));
}

function textOf(block: MailBlock): string {
  switch (block.kind) {
    case 'paragraph':
      return block.text;
    case 'facts':
      return givenFacts(block.facts)
        .map(([name, value]) => `${name}: ${value}`)
        .join('\n');
    case 'link':
      return `${block.label}:\n${block.url}`;
  }
}

// Styles are attributes of the elements, because mail programs remove style sheets. A mail loads
// nothing from the network. It sets no colours, so that a dark mode works.
const bodyStyle = 'margin:0;padding:24px;font-family:Arial,Helvetica,sans-serif;font-size:16px;line-height:1.5';
const nameStyle = 'padding:4px 16px 4px 0;text-align:left;vertical-align:top;font-weight:bold';
const valueStyle = 'padding:4px 0;vertical-align:top;overflow-wrap:anywhere';

function htmlOf(block: MailBlock): Markup {
  switch (block.kind) {
    case 'paragraph':
      return markup`<p>${block.text}</p>\n`;
    case 'facts':
      return markup`<table style="border-collapse:collapse">\n${givenFacts(block.facts).map(rowOf)}</table>\n`;
    case 'link':
      return isWebAddress(block.url)
        ? markup`<p><a href="${block.url}">${block.label}</a></p>\n`
        : markup`<p>${block.label}: ${block.url}</p>\n`;
  }
}

function rowOf([name, value]: readonly [string, string]): Markup {
  return markup`<tr><th scope="row" style="${nameStyle}">${name}</th><td style="${valueStyle}">${value}</td></tr>\n`;
}

function isWebAddress(url: string): boolean {
  return URL.canParse(url) && ['http:', 'https:'].includes(new URL(url).protocol);
}

function page(title: string, blocks: readonly Markup[], footer: string): Markup {
  return markup`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${title}</title>
</head>
<body style="${bodyStyle}">
<main style="max-width:640px">
<h1 style="font-size:22px;line-height:1.3">${title}</h1>
${blocks}<p style="font-size:14px">${footer}</p>
</main>
</body>
</html>
`;
}
