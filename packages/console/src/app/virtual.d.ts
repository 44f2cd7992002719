/** The styles of the components that are used; see build/mantine-styles.ts. */
declare module 'virtual:mantine-styles.css';
