/** Minimum password length (specification section 9). */
const PASSWORD_MIN = 8;
/** Maximum password length on the server. */
export const MAX_PASSWORD = 20;

/** Mistakes in a new password by field, as locale keys. */
export interface PasswordMistakes {
  password?: "field.missing" | "register.passwordShort";
  password2?: "register.passwordDiffers";
}

/** A new password is repeated, and has at least eight characters. */
export const findPasswordMistakes = (password: string, password2: string): PasswordMistakes => {
  const mistakes: PasswordMistakes = {};
  if (password === "") mistakes.password = "field.missing";
  else if ([...password].length < PASSWORD_MIN) mistakes.password = "register.passwordShort";
  if (password !== password2) mistakes.password2 = "register.passwordDiffers";
  return mistakes;
};
