import { Link } from "@tanstack/react-router";
import { requestReset } from "@tollgate/contract/api/sign-in";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { Button } from "../../components/button";
import { TextField } from "../../components/text-field";
import { notify } from "../../lib/notify";
import { useEndpoint } from "../../lib/use-endpoint";
import { useMistakes } from "../../lib/use-mistakes";
import { AccountCard } from "./account-card";
import { useCountdown } from "./use-countdown";
import { useHumanCheck } from "./use-human-check";

/** /reset: requests an e-mail with a reset link. */
export const ResetRequestPage = () => {
  const { t } = useTranslation();
  const refused = useMistakes();
  const request = useEndpoint(requestReset, refused);
  const human = useHumanCheck();
  const [left, startCountdown] = useCountdown();
  const [isMissing, setMissing] = useState(false);

  const submit = (email: string) => {
    setMissing(email === "");
    if (email === "") return;
    const turnstile = human.takeToken();
    if (turnstile === undefined) return;
    startCountdown();
    request.mutate({ query: { email, turnstile } }, { onSuccess: () => notify.success(t("reset.sent")) });
  };

  return (
    <AccountCard title={t("reset.title")}>
      <form
        noValidate
        className="flex flex-col gap-4"
        onSubmit={(event) => {
          event.preventDefault();
          refused.begin(event.currentTarget);
          submit(String(new FormData(event.currentTarget).get("email") ?? "").trim());
        }}
      >
        <TextField
          label={t("emailCode.email")}
          name="email"
          type="email"
          inputMode="email"
          isRequired
          autoComplete="email"
          placeholder={t("emailCode.emailPlaceholder")}
          error={isMissing ? t("emailCode.emailMissing") : refused.of("email")}
        />
        {human.widget}
        <Button
          type="submit"
          variant="primary"
          className="mt-1 h-10 w-full"
          disabled={left > 0}
          isBusy={request.isPending}
        >
          {left > 0 ? t("reset.wait", { seconds: left }) : t("reset.submit")}
        </Button>
      </form>
      <Link to="/login" className="self-start py-0.5 text-sm text-ink-2 hover:text-ink hover:underline">
        {t("reset.toLogin")}
      </Link>
    </AccountCard>
  );
};
