import { Anchor, Button, type AnchorProps, type ButtonProps } from '@mantine/core';
import { createLink } from '@tanstack/react-router';
import type { AnchorHTMLAttributes, ReactNode, Ref } from 'react';

type LinkElement = { readonly ref?: Ref<HTMLAnchorElement> };

function AnchorElement(props: AnchorProps & LinkElement & AnchorHTMLAttributes<HTMLAnchorElement>): ReactNode {
  return <Anchor {...props} />;
}

function ButtonElement(props: ButtonProps & LinkElement & AnchorHTMLAttributes<HTMLAnchorElement>): ReactNode {
  return <Button component="a" {...props} />;
}

/** A link to a page of the console. `to`, `params` and `search` are checked by the type check. */
export const TextLink = createLink(AnchorElement);

/** A link to a page of the console that looks like a button. */
export const ButtonLink = createLink(ButtonElement);
