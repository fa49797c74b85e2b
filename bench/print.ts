/** Prints a line. */
export const print = (line = ""): void => {
  process.stdout.write(`${line}\n`);
};

/**
 * Prints a table: the first column to the left, all others to the right.
 * @param rows each as long as the heading
 */
export const printTable = (heading: readonly string[], rows: readonly (readonly string[])[]): void => {
  const widths = heading.map((title, column) =>
    Math.max(title.length, ...rows.map((row) => row[column]?.length ?? 0)),
  );
  for (const row of [heading, ...rows]) {
    const cells = row.map((cell, column) =>
      column === 0 ? cell.padEnd(widths[column] ?? 0) : cell.padStart(widths[column] ?? 0),
    );
    print(`  ${cells.join("  ")}`);
  }
};
