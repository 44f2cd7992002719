import type { Examples } from '#platform/http/openapi/operation-docs.ts';

const envelope = {
  listid: 1,
  notifyemail: 'asha@example.com',
  callbackurl: 'https://hooks.example.com/batches',
  primarykey: 'email',
};

/** Bodies of batch add for the documentation; each is accepted by an account with the list 1 and the primary key EMAIL. */
export const batchAddExamples: Examples = {
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
