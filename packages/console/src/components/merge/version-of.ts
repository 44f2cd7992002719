/** Returns the version of something that has `updated_at`, as its header `ETag` has it. */
export function versionOf({ updated_at: at }: { readonly updated_at: string }): string {
  return `"${Date.parse(at)}"`;
}
