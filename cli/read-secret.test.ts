import { Readable } from "node:stream";
import { describe, expect, it } from "vitest";
import { readSecret } from "./read-secret";

const read = (...chunks: string[]): Promise<string> => readSecret(Readable.from(chunks), () => {});

describe("a secret from standard input", () => {
  it("is the piped text, without the line feed that echo adds", async () => {
    expect(await read("pass", "word\n")).toBe("password");
    expect(await read("one\ntwo\r\n")).toBe("one\ntwo");
  });

  it("is refused where nothing came, and where more came than one can be", async () => {
    await expect(read("\n")).rejects.toThrow("Standard input is empty");
    await expect(read("a".repeat(4_000_001))).rejects.toThrow("more than a secret can have");
  });
});
