import { spawnSync, type SpawnSyncOptions } from 'node:child_process';

/** How a program that a machine may have has ended. */
export interface ToolResult {
  readonly status: number | null;
  /** What it wrote to both outputs. */
  readonly output: string;
}

/** Runs a program that not every machine has; undefined where there is none. */
export function runTool(
  program: string,
  args: readonly string[],
  options: Pick<SpawnSyncOptions, 'cwd' | 'env' | 'uid' | 'gid'> = {},
): ToolResult | undefined {
  const { error, status, stdout, stderr } = spawnSync(program, args, { ...options, encoding: 'utf8' });
  if (error !== undefined) return undefined;
  return { status, output: stdout + stderr };
}
