import type { MailDocument, RenderedMail } from './format/mail-document.ts';
import { renderMail } from './format/render.ts';
import { batchAddFinished } from './templates/batch-add-finished.ts';
import { exportFinished } from './templates/export-finished.ts';
import { importFinished } from './templates/import-finished.ts';
import { invitation } from './templates/invitation.ts';
import { passwordReset } from './templates/password-reset.ts';
import { exportScheduleDisabled } from './templates/export-schedule-disabled.ts';
import { signUpLink } from './templates/sign-up-link.ts';

/** All templates by name. The name is stored with the mail. */
const mailTemplates = {
  batch_add_finished: batchAddFinished,
  export_finished: exportFinished,
  import_finished: importFinished,
  invitation,
  password_reset: passwordReset,
  export_schedule_disabled: exportScheduleDisabled,
  sign_up_link: signUpLink,
} as const satisfies Record<string, (data: never) => MailDocument>;

/** Name of a template. */
export type MailTemplateName = keyof typeof mailTemplates;

/**
 * Returns true when the links of a mail are credentials of its recipient. They are hidden after it
 * was sent.
 */
export function hasSecretLinks(template: string): boolean {
  return secretLinks.has(template);
}

const secretLinks: ReadonlySet<string> = new Set<MailTemplateName>(['invitation', 'password_reset', 'sign_up_link']);

/** The data of a template. */
export type MailData<Name extends MailTemplateName> = Parameters<(typeof mailTemplates)[Name]>[0];

/** Renders a mail from a template. */
export function writeMail<Name extends MailTemplateName>(template: Name, data: MailData<Name>): RenderedMail {
  const write = mailTemplates[template] as (data: MailData<Name>) => MailDocument;
  return renderMail(write(data));
}
