import type { Registration } from "./api/register";

/** The shortest password (specification section 9). */
const PASSWORD_MIN = 8;

/** Why a registration cannot be sent, by field; named by locale keys. */
export type RegistrationMistakes = Partial<
  Record<
    "username" | "password" | "password2",
    "field.missing" | "register.passwordShort" | "register.passwordDiffers"
  >
>;

/** Username and password are required, and the password is typed twice (specification section 5). */
export const findRegistrationMistakes = ({
  username,
  password,
  password2,
}: Registration): RegistrationMistakes => {
  const mistakes: RegistrationMistakes = {};
  if (username === "") mistakes.username = "field.missing";
  if (password === "") mistakes.password = "field.missing";
  else if ([...password].length < PASSWORD_MIN) mistakes.password = "register.passwordShort";
  if (password !== password2) mistakes.password2 = "register.passwordDiffers";
  return mistakes;
};
