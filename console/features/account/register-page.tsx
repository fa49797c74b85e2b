import { useQueryClient } from "@tanstack/react-query";
import { Link, useNavigate } from "@tanstack/react-router";
import { register as registerEndpoint } from "@tollgate/contract/api/sign-in";
import { encodeUserBody } from "@tollgate/contract/api/user";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { Button } from "../../components/button";
import { TextField } from "../../components/text-field";
import { exactQuota } from "../../lib/exact-quota";
import { focusMistake } from "../../lib/focus-mistake";
import { readStored } from "../../lib/local-store";
import { notify } from "../../lib/notify";
import { refreshStatus, useStatus } from "../../lib/status";
import { useAddress } from "../../lib/use-address";
import { useEndpoint } from "../../lib/use-endpoint";
import { useMistakes } from "../../lib/use-mistakes";
import { AccountCard, SiteLead } from "./account-card";
import { readInviteSearch } from "./account-search";
import { EmailCodeFields } from "./email-code-fields";
import { NewPasswordFields } from "./new-password-fields";
import { findRegistrationMistakes, type RegistrationMistakes, readRegistration } from "./registration-form";
import { TermsConsent } from "./terms-consent";
import { useHumanCheck } from "./use-human-check";

/** /register; an invite link adds ?aff=, which is stored until registration. */
export const RegisterPage = () => {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const [{ aff }] = useAddress(readInviteSearch);
  const status = useStatus();
  const refused = useMistakes();
  const register = useEndpoint(registerEndpoint, refused);
  const human = useHumanCheck();
  const queryClient = useQueryClient();
  const version = status?.terms_version;
  const [mistakes, setMistakes] = useState<RegistrationMistakes>({});

  const submit = (form: HTMLFormElement) => {
    const data = new FormData(form);
    const body = readRegistration(data, aff || readStored("aff") || "", version);
    refused.begin(form);
    const found = findRegistrationMistakes(body);
    setMistakes(found);
    if (focusMistake(form, found)) return;
    const turnstile = human.takeToken();
    if (turnstile === undefined) return;
    const promotionCode = String(data.get("promotion_code") ?? "").trim();
    // The specification also requires the repeated password, and has no code: only sites that offer its field get one.
    const sent = {
      ...encodeUserBody(status?.registration_codes ? { ...body, promotionCode } : body),
      password2: body.password2,
    };
    register.mutate(
      { query: { turnstile }, body: sent },
      {
        // A newer version of the terms may be the reason.
        onError: () => version !== undefined && void refreshStatus(queryClient).catch(() => undefined),
        onSuccess: (registered) => {
          const bonus = registered?.bonus ?? 0;
          if (bonus > 0) notify.success(t("register.bonus", { quota: exactQuota(bonus) }));
          else if (promotionCode !== "") notify.info(t("register.codeOver"));
          else notify.success(t("register.done"));
          void navigate({ to: "/login" });
        },
      },
    );
  };

  return (
    <AccountCard title={t("register.title")} lead={<SiteLead />}>
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
          isRequired
          maxLength={12}
          autoComplete="username"
          autoCapitalize="none"
          spellCheck={false}
          placeholder={t("register.usernamePlaceholder")}
          error={mistakes.username ? t(mistakes.username) : refused.of("username")}
        />
        <NewPasswordFields label={t("account.password")} mistakes={mistakes} refused={refused} />
        {status?.email_verification && (
          <EmailCodeFields
            emailName="email"
            codeName="verification_code"
            refused={refused}
            takeToken={human.takeToken}
          />
        )}
        {status?.registration_codes && (
          <TextField
            label={t("register.promotionCode")}
            name="promotion_code"
            autoComplete="off"
            autoCapitalize="characters"
            spellCheck={false}
            error={refused.of("promotion_code")}
          />
        )}
        {version !== undefined && (
          <TermsConsent
            error={mistakes.terms_version ? t(mistakes.terms_version) : refused.of("terms_version")}
          />
        )}
        {human.widget}
        <Button type="submit" variant="primary" className="mt-1 h-10 w-full" isBusy={register.isPending}>
          {t("register.submit")}
        </Button>
      </form>
      <Link to="/login" className="self-start py-0.5 text-sm text-ink-2 hover:text-ink hover:underline">
        {t("register.hasAccount")}
      </Link>
    </AccountCard>
  );
};
