/** Texts of the pages of audiences. */
export const texts = {
  title: 'Audiences',
};
