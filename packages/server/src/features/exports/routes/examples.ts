import type { Examples } from '#platform/http/openapi/operation-docs.ts';

/** Bodies of export requests for the documentation; each is accepted by an account with the list 1. */
export const exportExamples: Examples = {
  list: {
    summary: 'A list, with a callback',
    value: {
      audience_details: {
        audience_type: 'list',
        audience_id: 1,
        attributes_needed: ['EMAIL', 'FIRST_NAME', 'CITY'],
        blocklist_type: 'email',
      },
      file_type: 'csv',
      notify_email: 'asha@example.com',
      callback_details: {
        method: 'POST',
        endpoint: 'https://hooks.example.com/exports',
        header: [{ 'X-Token': 'secret' }],
        body: { job: 'nightly' },
      },
    },
  },
  shortest: {
    summary: 'No callback, default columns, compressed',
    value: {
      audience_details: { audience_type: 'list', audience_id: 1 },
      compression: 'gzip',
      callback_details: {},
    },
  },
};
