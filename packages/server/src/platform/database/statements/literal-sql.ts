import { createQueryId, PostgresQueryCompiler, type RawBuilder } from 'kysely';
import pg from 'pg';

/**
 * Compiles SQL to text without parameters, for statements such as COPY that take none.
 *
 * Each value is written as a quoted literal without a type, which the server reads like a
 * parameter. Quotes in values are escaped.
 */
export function literalSql(query: RawBuilder<unknown>): string {
  // A compiler keeps the text of its query, so each query needs a new one.
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
  throw new Error('this value has no literal; write an object as JSON text');
}
