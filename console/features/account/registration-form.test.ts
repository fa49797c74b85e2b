import { expect, it } from "vitest";
import { findRegistrationMistakes } from "./registration-form";

const typed = {
  username: "alice",
  password: "12345678",
  password2: "12345678",
  email: "",
  verificationCode: "",
  affCode: "",
};

it.each([
  [{}, {}],
  [{ username: "" }, { username: "field.missing" }],
  [{ password: "", password2: "" }, { password: "field.missing" }],
  [{ password: "1234567", password2: "1234567" }, { password: "register.passwordShort" }],
  [{ password2: "12345679" }, { password2: "register.passwordDiffers" }],
  [{ password: "密码密码密码密码", password2: "密码密码密码密码" }, {}],
  [{ password: "🔑🔑🔑🔑", password2: "🔑🔑🔑🔑" }, { password: "register.passwordShort" }],
])("of %j finds %j", (change, mistakes) =>
  expect(findRegistrationMistakes({ ...typed, ...change })).toEqual(mistakes),
);
