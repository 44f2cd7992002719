import type { MailDocument, RenderedMail } from './mail-document.ts';
import { renderMail } from './render.ts';
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

/** What a template needs. */
export type MailData<Name extends MailTemplateName> = Parameters<(typeof mailTemplates)[Name]>[0];

/** Writes a mail from a template. */
export function writeMail<Name extends MailTemplateName>(template: Name, data: MailData<Name>): RenderedMail {
  const write = mailTemplates[template] as (data: MailData<Name>) => MailDocument;
  return renderMail(write(data));
}
