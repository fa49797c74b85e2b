import { describe, expect, it, vi } from "vitest";
import { JsonPlaceholders } from "./json-placeholders";

const fill = (placeholders: JsonPlaceholders, text: string): { text: string; steps: number } => {
  const pieces = [...placeholders.fill(text)];
  return {
    text: Buffer.concat(pieces.filter((piece) => piece !== undefined)).toString(),
    steps: pieces.length,
  };
};

describe("JSON in a text that is put together at once (issue 11: no hold above 50 ms)", () => {
  it("has a placeholder for a large value, filled in steps", () => {
    const placeholders = new JsonPlaceholders();
    const value = { text: "word ".repeat(600_000) };
    const text = `a ${placeholders.write({ b: 1 })} ${placeholders.write(value)} c`;
    expect(text.length).toBeLessThan(100);
    const filled = fill(placeholders, text);
    expect(filled.text).toBe(`a {"b":1} ${JSON.stringify(value)} c`);
    expect(filled.steps).toBeGreaterThan(2);
    expect(placeholders.isEmpty).toBe(true);
  });

  it("has places for small values, too, where they are much together", () => {
    const placeholders = new JsonPlaceholders();
    const values = Array.from({ length: 10_000 }, (_, i) => ({ i, text: "x".repeat(1000) }));
    const write = vi.spyOn(JSON, "stringify");
    const text = values.map((value) => placeholders.write(value)).join("\n");
    const lengths = write.mock.results.map(({ value }) => String(value).length);
    write.mockRestore();
    expect(lengths.length).toBeGreaterThan(500);
    expect(lengths.reduce((sum, length) => sum + length, 0)).toBeLessThan(1_500_000);
    const filled = fill(placeholders, text);
    expect(filled.text).toBe(values.map((value) => JSON.stringify(value)).join("\n"));
    expect(filled.steps).toBeGreaterThan(20);
    // Filled, it begins again.
    expect(placeholders.write({ b: 1 })).toBe('{"b":1}');
  });
});
