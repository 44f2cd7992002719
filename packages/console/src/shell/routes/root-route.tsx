import { createRootRoute } from '@tanstack/react-router';
import { Failure, UnknownPage } from './failure.tsx';

/** The root of all routes. */
export const rootRoute = createRootRoute({ notFoundComponent: UnknownPage, errorComponent: Failure });
