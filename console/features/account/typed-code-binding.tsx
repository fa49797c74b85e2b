import { bindByCode } from "@tollgate/contract/api/sign-in";
import type { SignInMethod } from "@tollgate/contract/sign-in/methods";
import { useTranslation } from "react-i18next";
import { notify } from "../../lib/notify";
import { useEndpoint } from "../../lib/use-endpoint";
import { useMistakes } from "../../lib/use-mistakes";
import { TypedCodeWindow } from "./typed-code-window";

interface TypedCodeBindingProps {
  method: SignInMethod;
  picture: string;
  onClose: () => void;
}

/** Binds another account with a typed code. */
const TypedCodeBinding = ({ method, picture, onClose }: TypedCodeBindingProps) => {
  const { t } = useTranslation();
  const refused = useMistakes();
  const bind = useEndpoint(bindByCode(method), refused);
  const named = { context: method.name, method: method.title };
  return (
    <TypedCodeWindow
      title={t("personal.bindMethod", named)}
      confirm={t("personal.submitBind")}
      method={method}
      picture={picture}
      isBusy={bind.isPending}
      refused={refused}
      onClose={onClose}
      onCode={(code) =>
        bind.mutate(
          { query: { code } },
          {
            onSuccess: () => {
              notify.success(t("personal.methodBound", named));
              onClose();
            },
          },
        )
      }
    />
  );
};

export default TypedCodeBinding;
