import { describe, expect, it } from "vitest";
import { bodyBytes } from "./body-bytes";

describe("bodyBytes", () => {
  it.each([["é!"], [Buffer.from("é!")], [[Buffer.from("é"), Buffer.from("!")]]])("joins %j", (body) => {
    expect(Buffer.from(bodyBytes(body)).toString()).toBe("é!");
  });
});
