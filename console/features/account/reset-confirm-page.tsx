import { Link } from "@tanstack/react-router";
import { resetPassword } from "@tollgate/contract/api/sign-in";
import { useTranslation } from "react-i18next";
import { Button } from "../../components/button";
import { Field } from "../../components/field";
import { TextField } from "../../components/text-field";
import { copyOrShow } from "../../lib/copy";
import { useAddress } from "../../lib/use-address";
import { useEndpoint } from "../../lib/use-endpoint";
import { AccountCard } from "./account-card";
import { readResetSearch } from "./account-search";

const LINK = "self-start py-0.5 text-sm text-ink-2 hover:text-ink hover:underline";

/** Copies the new password; if the clipboard refuses, selects it. */
const copy = (field: HTMLInputElement): void => void copyOrShow(field.value, () => field.select());

/** /user/reset?email=&token=: the target of the mailed reset link. */
export const ResetConfirmPage = () => {
  const { t } = useTranslation();
  const [{ email = "", token = "" }] = useAddress(readResetSearch);
  const reset = useEndpoint(resetPassword);
  const password = reset.data;

  if (email === "" || token === "") {
    return (
      <AccountCard title={t("reset.confirmTitle")}>
        <p role="alert" className="text-ink-2">
          {t("reset.linkInvalid")}
        </p>
        <Link to="/reset" className={LINK}>
          {t("reset.toRequest")}
        </Link>
      </AccountCard>
    );
  }
  return (
    <AccountCard title={t("reset.confirmTitle")}>
      <form
        className="flex flex-col gap-4"
        onSubmit={(event) => {
          event.preventDefault();
          reset.mutate({ body: { email, token } });
        }}
      >
        <TextField label={t("emailCode.email")} type="email" value={email} readOnly className="bg-sunken" />
        {password !== undefined && (
          <Field label={t("reset.newPassword")} hint={t("reset.newPasswordHint")}>
            {(control) => (
              <input
                {...control}
                readOnly
                value={password}
                className="control cursor-pointer font-mono"
                onClick={(event) => copy(event.currentTarget)}
                onKeyDown={(event) => {
                  // The form has been sent already; Enter must not send it again.
                  if (event.key !== "Enter") return;
                  event.preventDefault();
                  copy(event.currentTarget);
                }}
              />
            )}
          </Field>
        )}
        <Button
          type="submit"
          variant="primary"
          className="mt-1 h-10 w-full"
          disabled={password !== undefined}
          isBusy={reset.isPending}
        >
          {password === undefined ? t("reset.submit") : t("reset.done")}
        </Button>
      </form>
      <Link to="/login" className={LINK}>
        {t("reset.toLogin")}
      </Link>
    </AccountCard>
  );
};
