import { createSecrets } from "@tollgate/storage/secrets";
import { describe, expect, it } from "vitest";
import { derivedCodes } from "./setup-codes";

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const NOW = 1000 * DAY_MS;

const newNode = (key = 7) => derivedCodes(createSecrets(new Uint8Array(32).fill(key)).hash);

describe("the code of a set-up link, on several nodes", () => {
  it("works on all of them, whichever printed it, for about a day", () => {
    const code = newNode().create("root", NOW + HOUR_MS - 1);
    expect(code).toMatch(/^[A-Za-z0-9]{30,32}$/);
    const other = newNode();
    for (const later of [0, HOUR_MS, 23 * HOUR_MS])
      expect(other.judge(code, "root", NOW + later)).toBe("open");
    // The clock of another node may be behind.
    expect(other.judge(code, "root", NOW - 1)).toBe("open");
    expect(other.judge(code, "root", NOW + DAY_MS)).toBe("code-expired");
  });

  it("is wrong with another key, for a root that has a password by now, and where it is none", () => {
    const code = newNode().create("root", NOW);
    expect(newNode(8).judge(code, "root", NOW)).toBe("code-wrong");
    expect(newNode().judge(code, "root with a password", NOW)).toBe("code-wrong");
    for (const wrong of ["", "x", code.slice(1), `${code}x`, code.toLowerCase() + code.toUpperCase()])
      expect(newNode().judge(wrong, "root", NOW)).toBe("code-wrong");
  });
});
