import { Type } from 'typebox';
import { accountParams } from '#features/accounts/account-routes.ts';
import { maxInteger } from '#platform/http/paging/page.ts';

/** Parameters of the operations of one list or segment. */
export const audienceParams = Type.Object({
  ...accountParams.properties,
  audience_id: Type.Integer({ minimum: 1, maximum: maxInteger }),
});
