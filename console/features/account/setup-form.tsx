import { useQueryClient } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { finishSetup } from "@tollgate/contract/api/setup";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { Button } from "../../components/button";
import { TextField } from "../../components/text-field";
import { RefusedError } from "../../lib/api-client";
import { focusMistake } from "../../lib/focus-mistake";
import { notify } from "../../lib/notify";
import { rememberUser } from "../../lib/session";
import { refreshStatus } from "../../lib/status";
import { useEndpoint } from "../../lib/use-endpoint";
import { useMistakes } from "../../lib/use-mistakes";
import { findPasswordMistakes, type PasswordMistakes } from "./new-password";
import { NewPasswordFields } from "./new-password-fields";
import { setupQuery } from "./setup-query";

interface SetupFormProps {
  code: string;
  /** The user whose password is set. */
  username: string;
}

/** Sets root's first password, typed twice, and logs root in. */
export const SetupForm = ({ code, username }: SetupFormProps) => {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const queryClient = useQueryClient();
  const refused = useMistakes();
  const finish = useEndpoint(finishSetup, refused);
  const [mistakes, setMistakes] = useState<PasswordMistakes>({});

  const submit = (form: HTMLFormElement) => {
    const data = new FormData(form);
    const password = String(data.get("password") ?? "");
    refused.begin(form);
    const found = findPasswordMistakes(password, String(data.get("password2") ?? ""));
    setMistakes(found);
    if (focusMistake(form, found)) return;
    finish.mutate(
      { body: { code, password } },
      {
        onSuccess: (outcome) => {
          notify.success(t("setup.finished"));
          // Removes the login page's note about the missing password.
          refreshStatus(queryClient).catch(() => undefined);
          // The link is used up: the back button must not show it again.
          if ("needs" in outcome) {
            void navigate({ to: "/login", search: { needs: outcome.needs }, replace: true });
            return;
          }
          rememberUser(outcome.user);
          void navigate({ to: "/start", replace: true });
        },
        onError: (error) => {
          // The link may have been used or have expired meanwhile: reading it again shows that.
          if (error instanceof RefusedError) void queryClient.invalidateQueries(setupQuery(code));
        },
      },
    );
  };

  return (
    <>
      <p className="text-sm text-ink-2 leading-relaxed">{t("setup.lead")}</p>
      <form
        noValidate
        className="flex flex-col gap-4"
        onSubmit={(event) => {
          event.preventDefault();
          submit(event.currentTarget);
        }}
      >
        <TextField
          label={t("account.username")}
          name="username"
          value={username}
          readOnly
          autoComplete="username"
          className="bg-sunken"
        />
        <NewPasswordFields label={t("setup.password")} mistakes={mistakes} refused={refused} />
        <Button type="submit" variant="primary" className="mt-1 h-10 w-full" isBusy={finish.isPending}>
          {t("setup.submit")}
        </Button>
      </form>
    </>
  );
};
