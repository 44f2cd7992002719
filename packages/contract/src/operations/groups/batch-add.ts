import { BatchAddAnswer, BatchAddBody, BatchAddReport } from '../../shapes/service/batch-add.ts';
import { operation, type Examples } from '../definition/operation.ts';
import { requestFailures } from '../definition/request-failures.ts';

const envelope = {
  listid: 1,
  notifyemail: 'asha@example.com',
  callbackurl: 'https://hooks.example.com/batches',
  primarykey: 'email',
};

/**
 * Example bodies of batch add. An account with the list 1 and the primary key EMAIL accepts each of
 * them.
 */
const batchAddExamples: Examples = {
  two: {
    summary: 'Two contacts',
    value: {
      ...envelope,
      data: [
        { EMAIL: 'asha@example.com', MOBILE: '919812345678', FIRST_NAME: 'Asha', CITY: 'Pune' },
        { EMAIL: 'lena@example.com', FIRST_NAME: 'Lena', CITY: 'Hamburg' },
      ],
    },
  },
  clearing: {
    summary: 'Clear values',
    value: { ...envelope, data: [{ EMAIL: 'asha@example.com', MOBILE: 'null', CITY: '' }] },
  },
};

/** The older operation that adds contacts to a list. */
export const batchAddOperations = {
  batchAddContacts: operation({
    generation: 'v3',
    method: 'POST',
    path: '/v3/contact/batchadd',
    permission: 'contacts:write',
    repeat: 'with-key',
    tag: 'Batch add',
    summary: 'Add contacts to a list',
    description: [
      'Accepts 1 to 1000 contacts for one list. They are applied as in contact create: an existing contact is merged, and every contact joins the list. `message` of the answer is the identifier of the job.',
      'When the job has ended, `callbackurl` gets a POST with `{job_id, status: "completed", listid, total, created, updated, failed, errors: [{index, code, message}]}`. It is signed and retried like every callback. `notifyemail` gets a mail with the same facts. total = created + updated + failed. `errors` has up to 1000 entries: the reasons of failed contacts, and the parts of other contacts that were left out.',
      'If a request has several faults, the answer names the first one in the order of the error table. An account can send `daily_batch_limit` requests a day, counted in its time zone. You can leave out the content type.',
    ].join('\n\n'),
    body: BatchAddBody,
    examples: batchAddExamples,
    answer: BatchAddAnswer,
    failures: requestFailures['contact.batch-add'],
    callback: {
      address: '{$request.body#/callbackurl}',
      description: 'Sent once, when the job has ended.',
      body: BatchAddReport,
    },
    // In the order in which they are checked.
    errors: [
      'batch_listid_invalid',
      'batch_too_large',
      'batch_primarykey_invalid',
      'batch_receivers_invalid',
      'batch_data_invalid',
      'batch_invalid',
      'batch_list_unknown',
      'batch_primarykey_differs',
      'batch_server_not_found',
      'batch_limit_reached',
    ],
  }),
};
