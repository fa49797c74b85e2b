import { MIN_PASSWORD } from "@tollgate/contract/sign-in/password-length";

/** Mistakes in a new password by field, as locale keys. */
export interface PasswordMistakes {
  password?: "field.missing" | "register.passwordShort";
  password2?: "register.passwordDiffers";
}

/** A new password is repeated, and has the least length. */
export const findPasswordMistakes = (password: string, password2: string): PasswordMistakes => {
  const mistakes: PasswordMistakes = {};
  if (password === "") mistakes.password = "field.missing";
  else if ([...password].length < MIN_PASSWORD) mistakes.password = "register.passwordShort";
  if (password !== password2) mistakes.password2 = "register.passwordDiffers";
  return mistakes;
};
