/** Comments, quoted text and names, text between dollar signs, and the end of a statement. */
const PARTS = /--[^\n]*|\/\*[\s\S]*?\*\/|'(?:[^']|'')*'|"[^"]*"|\$(\w*)\$[\s\S]*?\$\1\$|;/g;

/** The statements of a script, without their semicolons. */
export function splitStatements(script: string): string[] {
  const statements: string[] = [];
  let from = 0;
  for (const { 0: part, index } of script.matchAll(PARTS)) {
    if (part !== ';') continue;
    statements.push(script.slice(from, index));
    from = index + 1;
  }
  statements.push(script.slice(from));
  return statements.filter((one) => one.replace(PARTS, '').trim() !== '' || /['"$]/.test(one));
}
