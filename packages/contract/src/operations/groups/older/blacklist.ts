import { BlacklistContactsAnswer, BlacklistContactsBody, BlacklistHeaders } from '../../../shapes/older/blacklist.ts';
import { operation } from '../../definition/operation.ts';
import { requestFailures } from '../../definition/request-failures.ts';

/** The older call that opts contacts out. Its request is applied as a create. */
export const blacklistOperations = {
  blacklistContacts: operation({
    generation: 'v3',
    method: 'POST',
    path: '/v3/contact/blacklist',
    permission: 'contacts:write',
    repeat: 'with-key',
    tag: 'Older calls',
    summary: 'Blacklist contacts',
    description:
      'Opts contacts out of a channel. It is applied as **Create contacts** with `subscriptions: {<channel>: false}` for each value, so a contact that does not exist is created and opted out. On the channel `email`, the contacts become `blacklisted`. A value that cannot be a primary key fails with `identity_invalid`, and the others are applied. The account setting `reject_existing_contacts` does not apply. `message` of the answer is the identifier of the request.\n\nNew programs should use **Create contacts** or **Update contacts**. You can leave out the content type.',
    headers: BlacklistHeaders,
    body: BlacklistContactsBody,
    examples: {
      two: { summary: 'Two addresses', value: { data: ['asha@example.com', 'ravi@example.com'] } },
      one: { summary: 'One address', value: { data: ['mei@example.com'] } },
    },
    answer: BlacklistContactsAnswer,
    failures: requestFailures['contact.blacklist'],
    errors: ['batch_invalid', 'batch_server_not_found'],
  }),
};
