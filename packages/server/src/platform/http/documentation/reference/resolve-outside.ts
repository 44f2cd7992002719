import type { LinkTarget } from '../markdown/markdown.ts';

/** Resolves the links in texts of the OpenAPI document: only those to whole addresses are links. */
export function resolveOutside(target: string): LinkTarget | undefined {
  return /^https?:/.test(target) ? { address: target } : undefined;
}
