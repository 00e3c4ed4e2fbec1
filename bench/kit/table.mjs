/** Prints rows of the same columns as a Markdown table. */
export function printTable(rows) {
  const names = Object.keys(rows[0]);
  const widths = names.map((name) =>
    Math.max(name.length, ...rows.map((row) => String(row[name]).length)),
  );
  const line = (cells) =>
    `| ${cells.map((cell, index) => String(cell).padStart(widths[index])).join(' | ')} |`;
  console.log(line(names));
  console.log(`|${widths.map((width) => `${'-'.repeat(width + 1)}:`).join('|')}|`);
  for (const row of rows) console.log(line(names.map((name) => row[name])));
  console.log();
}
