import { describe, expect, it } from "vitest";
import { decodeSeal, encodeRedacted, encodeSeal, isAnthropicSeal, markSeal, ownSeal } from "./seal";

describe("a seal", () => {
  it("is its owner's alone", () => {
    expect(ownSeal("gemini", markSeal("gemini", "CiQB"))).toBe("CiQB");
    expect(ownSeal("openai", markSeal("gemini", "CiQB"))).toBeUndefined();
    expect(ownSeal("gemini", "EqQB")).toBeUndefined();
    expect(isAnthropicSeal("EqQB")).toBe(true);
    expect(isAnthropicSeal(markSeal("openai", "gAAA"))).toBe(false);
  });

  it.each(["EqQB+/=", markSeal("gemini", "CiQB"), markSeal("openai", "gAAA")])(
    "%s comes back from a client of any protocol as it was",
    (signature) => {
      for (const owner of ["gemini", "openai"] as const) {
        const slot = encodeSeal(owner, signature);
        expect(decodeSeal(owner, slot)).toEqual({ signature });
        // Some clients read the place as bytes.
        expect(Buffer.from(slot, "base64").toString("base64")).toBe(slot);
      }
    },
  );

  it("travels as it is in its owner's own place", () => {
    expect(encodeSeal("gemini", markSeal("gemini", "CiQB"))).toBe("CiQB");
    expect(decodeSeal("gemini", "CiQB")).toEqual({ signature: "gemini.CiQB" });
  });

  it("can stand for reasoning that only its vendor can read", () => {
    expect(decodeSeal("openai", encodeRedacted("SECRET"))).toEqual({ redactedData: "SECRET" });
  });
});
