/** Texts of the pages of privacy. */
export const texts = {
  title: 'Privacy',
};
