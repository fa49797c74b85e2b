import { describe, expect, it } from "vitest";
import { CappedBytes } from "./capped-bytes";

const textOf = (kept: CappedBytes): string => Buffer.from(kept.bytes).toString();

describe("capped bytes", () => {
  it("keeps everything up to the cap, and counts all of it", () => {
    const kept = new CappedBytes(5000, () => true);
    kept.push("你好");
    kept.push(Buffer.from(" world "));
    kept.push("x".repeat(4000));
    expect(textOf(kept)).toBe(`你好 world ${"x".repeat(4000)}`);
    expect(kept.sizeBytes).toBe(4013);
    kept.push("y".repeat(2000));
    kept.push("z");
    expect(textOf(kept)).toBe(`你好 world ${"x".repeat(4000)}${"y".repeat(987)}`);
    expect(kept.sizeBytes).toBe(6014);
  });

  it("holds a copy, whatever becomes of the buffer that it came in", () => {
    const kept = new CappedBytes(100, () => true);
    const chunk = Buffer.from("abc");
    kept.push(chunk);
    chunk.fill(0);
    expect(textOf(kept)).toBe("abc");
  });

  it("ends where no memory is granted, without a gap", () => {
    let left = 2048;
    const kept = new CappedBytes(100_000, (bytes) => {
      if (bytes > left) return false;
      left -= bytes;
      return true;
    });
    kept.push("a".repeat(1500));
    kept.push("b".repeat(3000));
    kept.push("c");
    expect(textOf(kept)).toBe("a".repeat(1500));
    expect(kept.sizeBytes).toBe(4501);
  });

  it("counts skipped bytes without keeping them", () => {
    const kept = new CappedBytes(100, () => true);
    kept.skip(Buffer.alloc(3));
    kept.skip("你");
    expect([kept.sizeBytes, kept.bytes.byteLength]).toEqual([6, 0]);
  });
});
