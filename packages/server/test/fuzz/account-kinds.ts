/** The kinds of accounts that send hostile requests. */
export const accountKinds = [
  { primary_key: 'EMAIL', settings: {} },
  { primary_key: 'EMAIL', settings: { auto_create_attributes: true } },
  { primary_key: 'CUSTOMER_ID', settings: { auto_create_attributes: true } },
  { primary_key: 'MOBILE', settings: {} },
  // This account looks up contacts before it accepts a request. That takes time, so it gets fewer
  // requests.
  { primary_key: 'EMAIL', settings: { reject_existing_contacts: true } },
] as const;
