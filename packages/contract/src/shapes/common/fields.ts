import { Type } from 'typebox';

/** A moment, such as when something was created. */
export const moment = (description: string) => Type.String({ format: 'date-time', description });

/** A moment, or null; the example is null by default. */
export const momentOrNull = (description: string, example: string | null = null) =>
  Type.Union([Type.String({ format: 'date-time' }), Type.Null()], { description, examples: [example] });

/** A number of things; the example is 0 by default. */
export const count = (description: string, example = 0) =>
  Type.Integer({ minimum: 0, description, examples: [example] });
