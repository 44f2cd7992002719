/** Texts of the pages for sign-in. */
export const texts = {
  title: 'Sign in',
};
