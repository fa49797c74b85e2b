import { expect, it } from "vitest";
import { formatFaults } from "./format-faults";
import type { Output } from "./output";

it.each([
  [0, 0, []],
  [1, 1, ["1 fault, which was there before: run tollgate doctor."]],
  [2, 1, ["2 faults, which were there before: run tollgate doctor."]],
])("%i faults end a command with %i, and are counted in a sentence", (count, code, said) => {
  const lines: string[] = [];
  const output: Output = {
    isJson: false,
    print: (line) => lines.push(line),
    table: () => undefined,
    text: () => undefined,
    result: () => undefined,
    progress: () => undefined,
  };
  const faults = Array.from({ length: count }, () => ({ code: "file-missing", path: "/data/a" }) as const);
  expect(formatFaults(output, faults, {})).toBe(code);
  expect(lines.filter((line) => !line.startsWith("FAULT"))).toEqual(said);
});
