import { Link } from "@tanstack/react-router";
import type { ShownAnnouncement } from "@tollgate/contract/api/announcements";
import type { Status } from "@tollgate/contract/api/status";
import { SIGN_IN_METHODS } from "@tollgate/contract/sign-in/methods";
import { ArrowRight, Check, Minus } from "lucide-react";
import { useTranslation } from "react-i18next";
import { buttonVariants } from "../../components/button";
import { formatTime } from "../../lib/format";
import { systemName, useStatus } from "../../lib/status";
import { Announcements } from "./announcements";
import { FirstSteps } from "./first-steps";

/** The default home page for guests: what this is, how to begin, and how the server is set up. */
export const DefaultHome = ({ announcements }: { announcements: readonly ShownAnnouncement[] }) => {
  const { t } = useTranslation();
  const status = useStatus();
  return (
    <div className="mx-auto flex max-w-[1120px] flex-col gap-4">
      <Announcements announcements={announcements} />
      <div className="grid gap-x-12 gap-y-10 py-4 wide:py-10 lg:grid-cols-[1fr_1.1fr]">
        <section className="flex flex-col items-start justify-center">
          <h1 className="break-keep font-semibold text-2xl leading-tight tracking-[-0.015em]">
            {t("home.headline")}
          </h1>
          <p className="mt-4 max-w-[46ch] text-pretty text-lg text-ink-2 leading-relaxed">
            {t("home.lead", { name: systemName() })}
          </p>
          <div className="mt-6 flex flex-wrap gap-2.5">
            <Link to="/login" className={buttonVariants({ variant: "primary", className: "h-10 px-4" })}>
              {t("home.toLogin")}
              <ArrowRight aria-hidden className="size-4" />
            </Link>
            <Link to="/register" className={buttonVariants({ variant: "plain", className: "h-10 px-4" })}>
              {t("home.toRegister")}
            </Link>
          </div>
          {status && <Facts status={status} />}
        </section>
        <FirstSteps />
      </div>
    </div>
  );
};

const Facts = ({ status }: { status: Status }) => {
  const { t } = useTranslation();
  const switches: [string, boolean][] = [
    [t("home.emailVerification"), status.email_verification],
    ...SIGN_IN_METHODS.map(({ name, title, switch: { status: field } }): [string, boolean] => [
      t("home.methodLogin", { context: name, method: title }),
      status[field],
    ]),
    [t("home.humanCheck"), status.turnstile_check],
  ];
  return (
    <section
      aria-label={t("home.facts")}
      className="mt-10 w-full max-w-[480px] border-line border-t pt-5 text-sm"
    >
      <dl className="grid grid-cols-2 gap-x-6 gap-y-3">
        <div>
          <dt className="text-xs text-ink-3">{t("home.version")}</dt>
          <dd className="tabular-nums">{status.version}</dd>
        </div>
        <div>
          <dt className="text-xs text-ink-3">{t("home.startTime")}</dt>
          <dd className="tabular-nums">{formatTime(status.start_time) || t("value.none")}</dd>
        </div>
        {switches.map(([label, isOn]) => (
          <div key={label}>
            <dt className="text-xs text-ink-3">{label}</dt>
            <dd className="flex items-center gap-1.5">
              {isOn ? (
                <Check aria-hidden className="size-3.5 text-green" />
              ) : (
                <Minus aria-hidden className="size-3.5 text-ink-3" />
              )}
              {isOn ? t("value.on") : t("value.off")}
            </dd>
          </div>
        ))}
      </dl>
    </section>
  );
};
