import { Type, type Static } from 'typebox';
import { exampleMoment } from '../common/envelope.ts';

/** Kinds of long work. */
export const longWorkKinds = ['import', 'export', 'bulk_change', 'erasure', 'attribute_index'] as const;

/** Seconds for which work that has ended is still shown. */
export const endedWorkSeconds = 300;

/** One piece of long work that runs, waits, or has just ended. */
export const RunningWork = Type.Object(
  {
    kind: Type.Enum([...longWorkKinds], { examples: ['import'] }),
    id: Type.String({
      description: 'The import_id, request_id or attribute_id.',
      examples: ['019a9d3e-7c1b-7f3a-9b52-2f3c8b1d0a11'],
    }),
    title: Type.String({
      description: 'What it works on: the name of a file, audience or attribute. Never personal data.',
      examples: ['customers.csv'],
    }),
    status: Type.Enum(['waiting', 'running', 'completed', 'failed', 'cancelled'], { examples: ['running'] }),
    percent: Type.Union([Type.Integer({ minimum: 0, maximum: 100 }), Type.Null()], {
      description: 'Null if it is not known.',
      examples: [42],
    }),
    rows_done: Type.Union([Type.Integer({ minimum: 0 }), Type.Null()], { examples: [420_000] }),
    rows_total: Type.Union([Type.Integer({ minimum: 0 }), Type.Null()], {
      description: 'Null if it is not known. It can be an estimate until the work is completed.',
      examples: [1_000_000],
    }),
    rows_failed: Type.Integer({ minimum: 0, description: 'Rows or contacts that failed.', examples: [0] }),
    rows_per_second: Type.Union([Type.Integer({ minimum: 0 }), Type.Null()], { examples: [25_000] }),
    seconds_left: Type.Union([Type.Integer({ minimum: 0 }), Type.Null()], {
      description: 'At the present speed. Null if it is not known.',
      examples: [23],
    }),
    error: Type.Union([Type.String(), Type.Null()], { description: 'Why it failed.', examples: [null] }),
    started_at: Type.Union([Type.String({ format: 'date-time' }), Type.Null()], {
      description: 'Null while it waits.',
      examples: [exampleMoment],
    }),
    finished_at: Type.Union([Type.String({ format: 'date-time' }), Type.Null()], {
      description: `Null until it has ended. It is shown for ${endedWorkSeconds / 60} more minutes.`,
      examples: [null],
    }),
  },
  { $id: 'RunningWork', description: 'Long work: an import, an export, a bulk change, an erasure or an index.' },
);

/** All long work of an account that the caller may see. */
export const RunningAnswer = Type.Object(
  {
    data: Type.Array(Type.Ref('RunningWork'), { description: 'Newest first, up to 100.' }),
  },
  { $id: 'RunningAnswer', description: 'The long work of an account that runs or has just ended.' },
);

export type RunningWork = Static<typeof RunningWork>;
/** The answer with all long work of an account. */
export interface RunningAnswer {
  readonly data: readonly RunningWork[];
}
