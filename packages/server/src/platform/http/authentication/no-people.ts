import type { PersonStore } from './actor.ts';

/** The people of a service without sign-in: none. */
export const noPeople: PersonStore = {
  findBySession: async () => undefined,
  findByToken: async () => undefined,
};
