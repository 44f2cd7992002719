/** The moment of every example, so that the documentation is the same on every machine. */
export const exampleMoment = '2026-01-31T09:00:00.000Z';
/** The identifier of a request in every example. */
export const exampleRequestId = '019a9d3e-7c1b-7f3a-9b52-2f3c8b1d0a11';
