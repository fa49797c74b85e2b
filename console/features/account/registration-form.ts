import type { Registration } from "./api/register";
import { findPasswordMistakes, type PasswordMistakes } from "./new-password";

/** Why a registration cannot be sent, by field; named by locale keys. */
export interface RegistrationMistakes extends PasswordMistakes {
  username?: "field.missing";
}

/** Username and password are required, and the password is typed twice (specification section 5). */
export const findRegistrationMistakes = ({
  username,
  password,
  password2,
}: Registration): RegistrationMistakes => ({
  ...(username === "" ? { username: "field.missing" as const } : {}),
  ...findPasswordMistakes(password, password2),
});
