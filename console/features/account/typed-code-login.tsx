import type { SignInOutcome } from "@tollgate/contract/api/session";
import { signInByCode } from "@tollgate/contract/api/sign-in";
import type { SignInMethod } from "@tollgate/contract/sign-in/methods";
import { useTranslation } from "react-i18next";
import { useEndpoint } from "../../lib/use-endpoint";
import { useMistakes } from "../../lib/use-mistakes";
import { TypedCodeWindow } from "./typed-code-window";

interface TypedCodeLoginProps {
  method: SignInMethod;
  picture: string;
  onClose: () => void;
  onOutcome: (outcome: SignInOutcome) => void;
}

/** Logs in with a typed code. */
const TypedCodeLogin = ({ method, picture, onClose, onOutcome }: TypedCodeLoginProps) => {
  const { t } = useTranslation();
  const refused = useMistakes();
  const logIn = useEndpoint(signInByCode(method), refused);
  return (
    <TypedCodeWindow
      title={t("login.by", { context: method.name, method: method.title })}
      confirm={t("login.submit")}
      method={method}
      picture={picture}
      isBusy={logIn.isPending}
      refused={refused}
      onClose={onClose}
      onCode={(code) => logIn.mutate({ query: { code } }, { onSuccess: onOutcome })}
    />
  );
};

export default TypedCodeLogin;
