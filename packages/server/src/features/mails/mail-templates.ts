import type { MailDocument, RenderedMail } from './format/mail-document.ts';
import { renderMail } from './format/render.ts';
import { batchAddFinished } from './templates/batch-add-finished.ts';
import { exportFinished } from './templates/export-finished.ts';
import { signUpLink } from './templates/sign-up-link.ts';

/** Every template by its name, which is stored with the mail; one more mail is one more entry. */
const mailTemplates = {
  batch_add_finished: batchAddFinished,
  export_finished: exportFinished,
  sign_up_link: signUpLink,
} as const satisfies Record<string, (data: never) => MailDocument>;

/** Name of a template. */
export type MailTemplateName = keyof typeof mailTemplates;

/** Templates whose links are passwords of the reader: they are stored in clear only until the mail server has taken the mail. */
const templatesWithPasswords: ReadonlySet<string> = new Set<MailTemplateName>(['sign_up_link']);

/** Whether the links of a mail are the reader's alone, so that nobody else needs them once it was sent. */
export function hasSecretLinks(template: string): boolean {
  return templatesWithPasswords.has(template);
}

/** What a template needs. */
export type MailData<Name extends MailTemplateName> = Parameters<(typeof mailTemplates)[Name]>[0];

/** Writes a mail from a template. */
export function writeMail<Name extends MailTemplateName>(template: Name, data: MailData<Name>): RenderedMail {
  const write = mailTemplates[template] as (data: MailData<Name>) => MailDocument;
  return renderMail(write(data));
}
