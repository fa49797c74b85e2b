import { expect, it } from "vitest";
import { findPasswordMistakes } from "./new-password";

it.each([
  ["12345678", "12345678", {}],
  ["八个字的密码可以", "八个字的密码可以", {}],
  ["", "", { password: "field.missing" }],
  ["1234567", "1234567", { password: "register.passwordShort" }],
  // Four characters of two code units each.
  ["😀😀😀😀", "😀😀😀😀", { password: "register.passwordShort" }],
  ["12345678", "12345679", { password2: "register.passwordDiffers" }],
  ["1234567", "", { password: "register.passwordShort", password2: "register.passwordDiffers" }],
])("a new password %j, then %j: %j", (password, password2, mistakes) => {
  expect(findPasswordMistakes(password, password2)).toEqual(mistakes);
});
