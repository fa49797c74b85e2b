/** The shortest password (specification section 9). */
const PASSWORD_MIN = 8;
/** The longest, as the server has it. */
export const MAX_PASSWORD = 20;

/** Why a new password cannot be sent, by field; named by locale keys. */
export interface PasswordMistakes {
  password?: "field.missing" | "register.passwordShort";
  password2?: "register.passwordDiffers";
}

/** A new password is typed twice, and has at least eight characters. */
export const findPasswordMistakes = (password: string, password2: string): PasswordMistakes => {
  const mistakes: PasswordMistakes = {};
  if (password === "") mistakes.password = "field.missing";
  else if ([...password].length < PASSWORD_MIN) mistakes.password = "register.passwordShort";
  if (password !== password2) mistakes.password2 = "register.passwordDiffers";
  return mistakes;
};
