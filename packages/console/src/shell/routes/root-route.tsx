import { createRootRoute } from '@tanstack/react-router';
import { WholeFailure, WholeUnknownPage } from './failure.tsx';

/** The root of all routes. */
export const rootRoute = createRootRoute({ notFoundComponent: WholeUnknownPage, errorComponent: WholeFailure });
