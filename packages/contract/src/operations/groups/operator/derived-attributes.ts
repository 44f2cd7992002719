import { DerivedAttributes } from '../../../shapes/contacts/derived-attributes.ts';
import { operation } from '../../definition/operation.ts';

/** Attributes that are computed from activities. */
export const derivedAttributeOperations = {
  getDerivedAttributes: operation({
    generation: 'operator',
    method: 'GET',
    path: '/admin/v1/accounts/{account_id}/derived-attributes',
    permission: 'attributes:read',
    repeat: 'harmless',
    tag: 'Activities',
    summary: 'Get the derived attributes',
    description:
      'Returns the attributes that the service computes from the activities of contacts, and whether searches can use them. The setting `derived_attributes` of the account switches them on.',
    answer: DerivedAttributes,
  }),

  rebuildDerivedAttributes: operation({
    generation: 'operator',
    method: 'POST',
    path: '/admin/v1/accounts/{account_id}/derived-attributes/rebuild',
    permission: 'attributes:write',
    repeat: 'harmless',
    tag: 'Activities',
    summary: 'Compute the derived attributes again',
    description:
      'Computes the derived attributes of all contacts again from the stored activities, in the background. They are kept up to date without this. Searches can use them meanwhile. A second request begins again. 409 if the setting `derived_attributes` is off.',
    answer: DerivedAttributes,
    errors: ['conflict'],
  }),
};
