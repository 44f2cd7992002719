import { createQueryId, PostgresQueryCompiler, type RawBuilder } from 'kysely';
import pg from 'pg';

/**
 * Compiles SQL to text without parameters, for statements that take none: COPY is one.
 *
 * Each value is written as a quoted literal without a type, which the server reads just as it reads a parameter; nothing that a value
 * contains ends the literal.
 */
export function literalSql(query: RawBuilder<unknown>): string {
  // The compiler collects the text of one query, so each query has its own.
  return new LiteralCompiler().compileQuery(query.toOperationNode(), createQueryId()).sql;
}

class LiteralCompiler extends PostgresQueryCompiler {
  protected override appendValue(value: unknown): void {
    this.append(literal(value));
  }
}

function literal(value: unknown): string {
  if (value === null || value === undefined) return 'null';
  if (Array.isArray(value)) return `array[${value.map(literal).join(', ')}]`;
  if (value instanceof Date) return pg.escapeLiteral(value.toISOString());
  if (typeof value === 'string') return pg.escapeLiteral(value);
  if (typeof value === 'number' || typeof value === 'boolean') return pg.escapeLiteral(String(value));
  throw new Error('this is no literal; write an object as JSON text');
}
