/** Texts of the pages of activity. */
export const texts = {
  title: 'Activity',
};
