import { describe, expect, it } from "vitest";
import { readConfig } from "./config";

describe("INITIAL_ROOT_PASSWORD", () => {
  it.each(["12345678", "correct horse batter", "密码密码密码密码", "😀😀😀😀😀😀😀😀", "😀".repeat(20)])(
    "may be %j",
    (password) => {
      expect(readConfig({ INITIAL_ROOT_PASSWORD: password }).initialRootPassword).toBe(password);
    },
  );

  it("counts as unset when it is empty", () => {
    expect(readConfig({ INITIAL_ROOT_PASSWORD: "" }).initialRootPassword).toBeUndefined();
  });

  it.each(["1234567", "x".repeat(21), "😀".repeat(7), "x".repeat(100_000)])(
    "of another length is refused in words (%#)",
    (password) => {
      expect(() => readConfig({ INITIAL_ROOT_PASSWORD: password })).toThrow(
        "INITIAL_ROOT_PASSWORD: must have 8 to 20 characters",
      );
    },
  );

  it.each([
    "password1\n",
    " password1",
    "password1 ",
    "          ",
    "pass\tword1",
    "pass\u0000word1",
    "\ufeffpassword1",
    "password1\r\n",
  ])("that nobody can type into the sign-in is refused in words: %j", (password) => {
    expect(() => readConfig({ INITIAL_ROOT_PASSWORD: password })).toThrow(
      "INITIAL_ROOT_PASSWORD: must not begin or end with a blank",
    );
  });
});
