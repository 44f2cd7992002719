import { Type, type Static, type TObject } from 'typebox';
import { maxInteger } from '../../shapes/common/paging.ts';

const number = (description: string) => Type.Integer({ minimum: 1, maximum: maxInteger, description });
const uuid = (description: string) => Type.String({ format: 'uuid', description });

/** The shapes of path parameters. A name has the same meaning in every path. */
export const pathParameters = {
  account_id: number('Number of the account.'),
  api_key_id: number('Number of the API key.'),
  attribute_id: number('Number of the attribute.'),
  audience_id: number('Number of the list or segment.'),
  bulk_change_id: uuid('Identifier of the bulk change, from the answer that created it.'),
  contact_id: Type.Integer({ minimum: 1, description: 'Number of the contact.' }),
  deleted_account_id: number('Number of the deleted account.'),
  delivery_id: uuid('Identifier of the delivery.'),
  import_id: uuid('Identifier of the import, from the answer that created it.'),
  invitation_id: number('Number of the invitation.'),
  mail_id: uuid('Identifier of the mail.'),
  message_id: Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER, description: 'Number of the message.' }),
  passkey_id: number('Number of the passkey.'),
  request_id: uuid('Identifier of the request, from the answer that accepted it.'),
  session_id: number('Number of the session.'),
  token_id: number('Number of the personal access token.'),
  user_id: number('Number of the user.'),
  schedule_id: uuid('Identifier of the export schedule.'),
  subscription_id: uuid('Identifier of the event subscription.'),
  view_id: uuid('Identifier of the saved view.'),
};

/** Name of a path parameter. */
export type PathParameterName = keyof typeof pathParameters;

/** Value of a path parameter. */
export type PathParameter<Name extends PathParameterName> = Static<(typeof pathParameters)[Name]>;

/**
 * Returns the shape of all parameters of a path, in their order, or undefined if it has none.
 * Throws for a name without a shape.
 */
export function paramsOf(path: string): TObject | undefined {
  const names = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name!);
  if (names.length === 0) return undefined;
  return Type.Object(
    Object.fromEntries(
      names.map((name) => {
        if (!Object.hasOwn(pathParameters, name)) throw new Error(`${path}: the parameter ${name} has no shape`);
        return [name, pathParameters[name as PathParameterName]];
      }),
    ),
  );
}
