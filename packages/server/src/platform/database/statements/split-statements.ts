// A quoted text, a quoted name, a dollar-quoted text, a comment, the end of a statement, or any other
// character.
const token = /'(?:[^']|'')*'|"(?:[^"]|"")*"|(\$[A-Za-z_]*\$)[\s\S]*?\1|--[^\n]*|\/\*[\s\S]*?\*\/|;|[\s\S]/g;

/**
 * Splits an SQL script into its statements, without comments outside of dollar-quoted texts. A cluster
 * passes on the whole message to its nodes when it executes DDL, so a message must have one statement.
 */
export function splitStatements(script: string): string[] {
  const statements: string[] = [];
  let current = '';
  for (const [part] of script.matchAll(token)) {
    if (part === ';') {
      statements.push(current.trim());
      current = '';
    } else current += part.startsWith('--') || part.startsWith('/*') ? ' ' : part;
  }
  statements.push(current.trim());
  return statements.filter((statement) => statement !== '');
}
