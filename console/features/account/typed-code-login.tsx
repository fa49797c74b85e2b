import type { User } from "@tollgate/contract/api/user";
import type { SignInMethod } from "@tollgate/contract/sign-in/methods";
import { useTranslation } from "react-i18next";
import { useLogInWithTypedCode } from "./api/log-in-with-typed-code";
import { TypedCodeWindow } from "./typed-code-window";

interface TypedCodeLoginProps {
  method: SignInMethod;
  picture: string;
  onClose: () => void;
  onUser: (user: User) => void;
}

/** Logs in with a code that is typed. */
const TypedCodeLogin = ({ method, picture, onClose, onUser }: TypedCodeLoginProps) => {
  const { t } = useTranslation();
  const logIn = useLogInWithTypedCode(method.name);
  return (
    <TypedCodeWindow
      title={t("login.by", { context: method.name, method: method.title })}
      confirm={t("login.submit")}
      method={method}
      picture={picture}
      isBusy={logIn.isPending}
      onClose={onClose}
      onCode={(code) => logIn.mutate(code, { onSuccess: (user) => onUser(user) })}
    />
  );
};

export default TypedCodeLogin;
