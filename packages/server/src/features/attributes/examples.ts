/** Request bodies of attribute create for the documentation; each is sent by a test. */
export const createAttributesExamples = {
  one: {
    summary: 'A text with a default',
    value: {
      data: [{ name: 'CUSTOMER_TIER', category: 'custom', data_type: 'text', default_value: 'bronze' }],
    },
  },
  several: {
    summary: 'Several, one masked, one in the place of a system attribute',
    value: {
      data: [
        { name: 'LIFETIME_VALUE', category: 'transaction', data_type: 'number', default_value: 0 },
        { name: 'PASSPORT_NUMBER', category: 'profile', data_type: 'text', data_masking: 'partial' },
        { name: 'HOME_TOWN', category: 'location', data_type: 'text', mapping: 'CITY' },
      ],
    },
  },
};

/** Request bodies of attribute search for the documentation. */
export const searchAttributesExamples = {
  all: { summary: 'All attributes', value: { output: { pagination: { page: 1, limit: 100 } } } },
  partialName: {
    summary: 'By a part of the name and the data type',
    value: {
      filtering_criteria: [
        {
          condition_operator: 'and',
          condition_details: [
            { field: 'name', operation: 'contains', value: ['NAME'] },
            { field: 'data_type', operation: 'equals', value: ['text'] },
          ],
        },
      ],
      output: { get_count: true, sorting: [{ field: 'name', direction: 'asc' }], pagination: { page: 1, limit: 10 } },
    },
  },
};

/** Request bodies of attribute update for the documentation. */
export const updateAttributesExamples = {
  mask: { summary: 'Mask an attribute', value: { data: [{ name: 'POSTAL_CODE', data_masking: 'partial' }] } },
  default: {
    summary: 'Give a default and another category',
    value: { data: [{ name: 'LANGUAGE', default_value: 'en', category: 'profile' }] },
  },
  rename: {
    summary: 'Rename an attribute; its values and the segments that use it stay',
    value: { data: [{ name: 'CUSTOMER_TIER', new_name: 'LOYALTY_TIER' }] },
  },
  several: {
    summary: 'Take a mapping away, and keep the values of a number as text; both or none',
    value: {
      data: [
        { name: 'HOME_TOWN', mapping: null },
        { name: 'LIFETIME_VALUE', data_type: 'text' },
      ],
    },
  },
};

/** Request bodies of attribute delete for the documentation. */
export const deleteAttributesExamples = {
  byName: { summary: 'By name', value: { data: ['LOYALTY_TIER'] } },
  byNameObject: { summary: 'By name, as an object', value: { data: [{ name: 'LIFETIME_VALUE' }] } },
};

/** Request bodies of attribute usage for the documentation. */
export const attributeUsageExamples = {
  byName: { summary: 'Of two attributes', value: { data: ['CITY', 'LANGUAGE'] } },
};
