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
 * Bodies of batch add for the documentation; each is accepted by an account with the list 1 and the
 * primary key EMAIL.
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
    summary: 'Values that are cleared',
    value: { ...envelope, data: [{ EMAIL: 'asha@example.com', MOBILE: 'null', CITY: '' }] },
  },
};

/** The older add of contacts. */
export const batchAddOperations = {
  batchAddContacts: operation({
    generation: 'v3',
    method: 'POST',
    path: '/v3/contact/batchadd',
    scope: 'contacts:write',
    repeat: 'with-key',
    tag: 'Batch add',
    summary: 'Add contacts to a list',
    description: [
      'Accepts 1 to 1000 contacts for one list. They are applied like those of a create request: a contact whose primary key exists is merged, and all join the list. `message` of the answer is the identifier of the job.',
      'When the job has ended, `callbackurl` gets a POST with `{job_id, status: "completed", listid, total, created, updated, failed, errors: [{index, code, message}]}`, signed and tried again like every callback, and `notifyemail` a mail with the same facts. total = created + updated + failed; `errors` has at most 1000 entries: why contacts failed, and what was left out of others.',
      'Of a request with several faults the first in the order of the error table is answered. An account may send `daily_batch_limit` requests in a day of its time zone. The content type may be left out.',
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
    // In the order in which they are looked for.
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
