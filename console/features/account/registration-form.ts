import { findPasswordMistakes, type PasswordMistakes } from "./new-password";

/** A registration as it is typed. */
export interface Registration {
  username: string;
  password: string;
  password2: string;
  email: string;
  verificationCode: string;
  affCode: string;
}

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
