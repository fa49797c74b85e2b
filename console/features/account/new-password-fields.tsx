import { MAX_PASSWORD } from "@tollgate/contract/sign-in/password-length";
import { useTranslation } from "react-i18next";
import { TextField } from "../../components/text-field";
import type { Mistakes } from "../../lib/use-mistakes";
import type { PasswordMistakes } from "./new-password";

interface NewPasswordFieldsProps {
  /** Label of the password; the field below repeats it. */
  label: string;
  mistakes: PasswordMistakes;
  refused: Mistakes;
}

/** The fields `password` and `password2` of a form for a new password. */
export const NewPasswordFields = ({ label, mistakes, refused }: NewPasswordFieldsProps) => {
  const { t } = useTranslation();
  const shared = {
    type: "password",
    isRequired: true,
    maxLength: MAX_PASSWORD,
    autoComplete: "new-password",
  } as const;
  return (
    <>
      <TextField
        {...shared}
        label={label}
        name="password"
        placeholder={t("register.passwordPlaceholder")}
        error={mistakes.password ? t(mistakes.password) : refused.of("password")}
      />
      <TextField
        {...shared}
        label={t("register.password2")}
        name="password2"
        placeholder={t("register.password2Placeholder")}
        error={mistakes.password2 && t(mistakes.password2)}
      />
    </>
  );
};
