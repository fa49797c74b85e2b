import { findPasswordMistakes, type PasswordMistakes } from "./new-password";

/** A typed registration. */
export interface Registration {
  username: string;
  password: string;
  password2: string;
  email: string;
  verificationCode: string;
  affCode: string;
  /** 0 while the terms are not accepted; undefined where the site has none. */
  termsVersion?: number;
}

/** Reads the typed form. @param version the site's current terms; undefined for none */
export const readRegistration = (
  data: FormData,
  affCode: string,
  version: number | undefined,
): Registration => {
  const text = (name: string) => String(data.get(name) ?? "");
  return {
    username: text("username").trim(),
    password: text("password"),
    password2: text("password2"),
    email: text("email").trim(),
    verificationCode: text("verification_code").trim(),
    affCode,
    ...(version === undefined ? {} : { termsVersion: data.has("terms_version") ? version : 0 }),
  };
};

/** Mistakes in a registration by field, as locale keys. */
export interface RegistrationMistakes extends PasswordMistakes {
  username?: "field.missing";
  terms_version?: "register.termsFirst";
}

/** Username, password and consent are required, and the password is repeated (specification section 5). */
export const findRegistrationMistakes = ({
  username,
  password,
  password2,
  termsVersion,
}: Registration): RegistrationMistakes => ({
  ...(username === "" ? { username: "field.missing" as const } : {}),
  ...findPasswordMistakes(password, password2),
  ...(termsVersion === 0 ? { terms_version: "register.termsFirst" as const } : {}),
});
