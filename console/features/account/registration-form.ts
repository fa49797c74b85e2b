import { findPasswordMistakes, type PasswordMistakes } from "./new-password";

/** A typed registration. */
export interface Registration {
  username: string;
  password: string;
  password2: string;
  email: string;
  verificationCode: string;
  affCode: string;
}

/** Mistakes in a registration by field, as locale keys. */
export interface RegistrationMistakes extends PasswordMistakes {
  username?: "field.missing";
}

/** Username and password are required, and the password is repeated (specification section 5). */
export const findRegistrationMistakes = ({
  username,
  password,
  password2,
}: Registration): RegistrationMistakes => ({
  ...(username === "" ? { username: "field.missing" as const } : {}),
  ...findPasswordMistakes(password, password2),
});
