/** What the accounts are like that send hostile requests. */
export const accountKinds = [
  { primary_key: 'EMAIL', settings: {} },
  { primary_key: 'EMAIL', settings: { auto_create_attributes: true } },
  { primary_key: 'CUSTOMER_ID', settings: { auto_create_attributes: true } },
  { primary_key: 'MOBILE', settings: {} },
  // It looks before it accepts, which takes time: it gets fewer requests than the others.
  { primary_key: 'EMAIL', settings: { reject_existing_contacts: true } },
] as const;
