import { spawnSync, type SpawnSyncOptions } from 'node:child_process';

/** The result of a program run. */
export interface ToolResult {
  readonly status: number | null;
  /** Standard output followed by standard error. */
  readonly output: string;
}

/** Runs a program. Returns undefined if the machine does not have it. */
export function runTool(
  program: string,
  args: readonly string[],
  options: Pick<SpawnSyncOptions, 'cwd' | 'env' | 'uid' | 'gid'> = {},
): ToolResult | undefined {
  const { error, status, stdout, stderr } = spawnSync(program, args, { ...options, encoding: 'utf8' });
  if (error !== undefined) return undefined;
  return { status, output: stdout + stderr };
}
