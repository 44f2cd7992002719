import type { TFunction } from 'i18next';
import { fieldOf, kindOf, type ColumnChoice } from './column-choice.ts';

/** Returns what a column means, in a few words. `attributes` are the names of those that exist. */
export function choiceLabel(choice: ColumnChoice, t: TFunction<'imports'>, attributes: ReadonlySet<string>): string {
  switch (kindOf(choice)) {
    case 'skip':
      return t('mapping.skip');
    case 'lists':
      return t('mapping.lists');
    case 'json':
      return t('mapping.json');
    case 'new':
      return t('mapping.newAttribute', { name: (choice as { readonly automatic: string }).automatic });
    case 'field': {
      const { field, data_type: dataType } = fieldOf(choice)!;
      const label = fieldLabel(field, t);
      return dataType !== undefined && label === field && !attributes.has(field)
        ? t('mapping.newAttribute', { name: field })
        : label;
    }
  }
}

const labels = {
  CREATED_AT: 'fields.createdAt',
  EMAIL: 'fields.email',
  MOBILE: 'fields.mobile',
  IDENTITY: 'fields.identity',
  CONTACT_TYPE: 'fields.contactType',
  EMAIL_OPTED_OUT: 'fields.emailOptOut',
  SMS_OPTED_OUT: 'fields.smsOptOut',
  WHATSAPP_OPTED_OUT: 'fields.whatsappOptOut',
} as const;

/** Returns the name of a field of contacts for people. An attribute keeps its name. */
export function fieldLabel(field: string, t: TFunction<'imports'>): string {
  return Object.hasOwn(labels, field) ? t(labels[field as keyof typeof labels]) : field;
}
