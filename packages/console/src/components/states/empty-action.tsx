import { Button } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';

/** The primary action of an empty page if it is on another page. `to` is an address of the console. */
export function EmptyAction({ to, children }: { readonly to: string; readonly children: string }): ReactNode {
  return (
    <Button component={Link} to={to}>
      {children}
    </Button>
  );
}
