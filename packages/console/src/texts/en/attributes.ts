/** Texts of the pages of attributes. */
export const texts = {
  title: 'Attributes',
};
