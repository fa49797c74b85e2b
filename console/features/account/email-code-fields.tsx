import { sendEmailCode } from "@tollgate/contract/api/sign-in";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { Button } from "../../components/button";
import { Field } from "../../components/field";
import { TextField } from "../../components/text-field";
import { notify } from "../../lib/notify";
import { useEndpoint } from "../../lib/use-endpoint";
import type { Mistakes } from "../../lib/use-mistakes";
import { useCountdown } from "./use-countdown";

interface EmailCodeFieldsProps {
  /** Names of the form fields. */
  emailName: string;
  codeName: string;
  refused: Mistakes;
  /** The human check's proof; undefined while it is not ready. */
  takeToken: () => string | undefined;
}

/** An e-mail address, a button that sends a code to it, and the code. */
export const EmailCodeFields = ({ emailName, codeName, refused, takeToken }: EmailCodeFieldsProps) => {
  const { t } = useTranslation();
  const send = useEndpoint(sendEmailCode, refused);
  const [left, startCountdown] = useCountdown();
  const [email, setEmail] = useState("");
  const [isMissing, setMissing] = useState(false);

  const sendCode = (form: HTMLFormElement | null) => {
    if (form) refused.begin(form);
    const address = email.trim();
    setMissing(address === "");
    if (address === "") return;
    const turnstile = takeToken();
    if (turnstile === undefined) return;
    startCountdown();
    send.mutate(
      { query: { email: address, turnstile } },
      { onSuccess: () => notify.success(t("emailCode.sent")) },
    );
  };

  return (
    <>
      <Field
        label={t("emailCode.email")}
        error={isMissing && email.trim() === "" ? t("emailCode.emailMissing") : refused.of(emailName)}
      >
        {(control) => (
          <div className="flex gap-2">
            <input
              {...control}
              name={emailName}
              type="email"
              inputMode="email"
              autoComplete="email"
              placeholder={t("emailCode.emailPlaceholder")}
              value={email}
              onChange={(event) => setEmail(event.target.value)}
              className="control min-w-0 flex-1"
            />
            <Button
              className="min-w-[98px] tabular-nums"
              disabled={left > 0}
              isBusy={send.isPending}
              onClick={(event) => sendCode(event.currentTarget.form)}
            >
              {left > 0 ? t("emailCode.wait", { seconds: left }) : t("emailCode.send")}
            </Button>
          </div>
        )}
      </Field>
      <TextField
        label={t("emailCode.code")}
        error={refused.of(codeName)}
        name={codeName}
        autoComplete="one-time-code"
        autoCapitalize="none"
        spellCheck={false}
        placeholder={t("emailCode.codePlaceholder")}
      />
    </>
  );
};
