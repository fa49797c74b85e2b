import { useQuery } from "@tanstack/react-query";
import { getSecondFactor } from "@tollgate/contract/api/second-factor";
import { confirmPresence } from "@tollgate/contract/api/session";
import { useTranslation } from "react-i18next";
import { Button } from "../../components/button";
import { Dialog } from "../../components/dialog";
import { FailedState } from "../../components/failed-state";
import { TextField } from "../../components/text-field";
import { endpointQuery } from "../../lib/endpoint-query";
import { useEndpoint } from "../../lib/use-endpoint";
import { useMistakes } from "../../lib/use-mistakes";
import { CodeForm } from "./code-form";

interface PresenceWindowProps {
  onConfirmed: () => void;
  onClose: () => void;
  /** For a user who has no password, or has lost it. */
  onSignIn: () => void;
}

/** Asks the user of a session from a while ago for the password, or for a code of the second factor. */
const PresenceWindow = ({ onConfirmed, onClose, onSignIn }: PresenceWindowProps) => {
  const { t } = useTranslation();
  const { data: factor, error, refetch } = useQuery(endpointQuery(getSecondFactor, {}));
  const refused = useMistakes();
  const confirm = useEndpoint(confirmPresence, refused);
  const send = (body: { password?: string; code?: string }) =>
    confirm.mutate({ body }, { onSuccess: onConfirmed });
  const signIn = <Button onClick={onSignIn}>{t("presence.signIn")}</Button>;
  return (
    <Dialog isOpen onClose={onClose} title={t("presence.title")}>
      <div className="flex flex-col gap-4">
        <p className="text-sm text-ink-2">{t("presence.text")}</p>
        {error ? (
          <FailedState error={error} onRetry={() => void refetch()} />
        ) : factor === undefined ? (
          <div role="status" aria-label={t("page.loading")} className="skeleton h-28 w-full" />
        ) : factor.isOn ? (
          <CodeForm
            confirm={t("presence.confirm")}
            takesBackupCodes
            isFocused
            isBusy={confirm.isPending}
            refused={refused}
            onCode={(code) => send({ code })}
          >
            {signIn}
          </CodeForm>
        ) : (
          <form
            className="flex flex-col gap-4"
            onSubmit={(event) => {
              event.preventDefault();
              refused.begin(event.currentTarget);
              send({ password: String(new FormData(event.currentTarget).get("password")) });
            }}
          >
            <TextField
              label={t("account.password")}
              ref={(field) => field?.focus()}
              name="password"
              type="password"
              autoComplete="current-password"
              required
              error={refused.of("password")}
            />
            <div className="flex flex-wrap-reverse items-center justify-end gap-2">
              {signIn}
              <Button type="submit" variant="primary" isBusy={confirm.isPending}>
                {t("presence.confirm")}
              </Button>
            </div>
          </form>
        )}
      </div>
    </Dialog>
  );
};

export default PresenceWindow;
