import { useQuery } from "@tanstack/react-query";
import { Link, useLocation } from "@tanstack/react-router";
import { clsx } from "clsx";
import { CircleCheck, Clock, Link2Off, LoaderCircle, Unplug } from "lucide-react";
import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { Button, buttonVariants } from "../../components/button";
import { CodeBlock } from "../../components/code-block";
import { HttpError } from "../../lib/api-client";
import { systemName } from "../../lib/status";
import { AccountCard } from "./account-card";
import { SetupForm } from "./setup-form";
import { setupQuery } from "./setup-query";

/** /setup#code: the link that the server prints while root has no password. Browsers do not send the part after "#". */
export const SetupPage = () => {
  const { t } = useTranslation();
  const code = useLocation({ select: ({ hash }) => hash });
  return (
    <AccountCard title={t("setup.title", { name: systemName() })}>
      <SetupContent key={code} code={code} />
    </AccountCard>
  );
};

const SetupContent = ({ code }: { code: string }) => {
  const { t } = useTranslation();
  const { data, error, isFetching, refetch } = useQuery(setupQuery(code));

  if (data?.state === "open") return <SetupForm code={code} username={data.username} />;
  if (data?.state === "done") {
    return (
      <Outcome icon={<CircleCheck />} isGood title={t("setup.doneTitle")} text={t("setup.doneText")}>
        <Link to="/login" className={buttonVariants({ variant: "primary", className: "h-10 w-full" })}>
          {t("setup.toLogin")}
        </Link>
      </Outcome>
    );
  }
  if (data?.state === "code-expired") {
    return (
      <Outcome icon={<Clock />} title={t("setup.expiredTitle")} text={t("setup.expiredText")}>
        <WhereTheLinkIs />
      </Outcome>
    );
  }
  if (data) {
    return (
      <Outcome
        icon={<Link2Off />}
        title={code === "" ? t("setup.missingTitle") : t("setup.wrongTitle")}
        text={code === "" ? t("setup.missingText") : t("setup.wrongText")}
      >
        <WhereTheLinkIs />
      </Outcome>
    );
  }
  if (error && !isFetching) {
    // Any other error: no server or no gateway answered. A gateway's own reason, such as too many calls, is shown.
    const reason = error instanceof HttpError ? error.message : t("setup.unreachableText");
    return (
      <Outcome icon={<Unplug />} title={t("setup.unreachableTitle")} text={reason}>
        <Button variant="primary" className="h-10 w-full" onClick={() => void refetch()}>
          {t("action.retry")}
        </Button>
      </Outcome>
    );
  }
  return (
    <div role="status" aria-busy className="flex flex-col items-center gap-3 py-10 text-ink-2">
      <LoaderCircle aria-hidden className="size-6 animate-[spin_0.9s_linear_infinite] text-accent" />
      <p>{t("setup.checking")}</p>
    </div>
  );
};

interface OutcomeProps {
  icon: ReactNode;
  /** A finished set-up, not a failure. */
  isGood?: boolean;
  title: string;
  text: string;
  children: ReactNode;
}

/** The reason for the missing form, and the next step. */
const Outcome = ({ icon, isGood, title, text, children }: OutcomeProps) => (
  <div role="status" className="flex flex-col items-center text-center">
    <div
      aria-hidden
      className={clsx(
        "mb-3 grid size-11 place-items-center rounded-full [&_svg]:size-5",
        isGood ? "bg-green-soft text-green" : "bg-sunken text-ink-2",
      )}
    >
      {icon}
    </div>
    <h2 className="font-medium">{title}</h2>
    <p className="mt-1 text-pretty text-sm text-ink-2 leading-relaxed">{text}</p>
    <div className="mt-5 w-full">{children}</div>
  </div>
);

/** Where to find the link: in the terminal or the container's log. */
const WhereTheLinkIs = () => {
  const { t } = useTranslation();
  return (
    <dl className="flex flex-col gap-3 border-line border-t pt-4 text-start text-sm">
      <div>
        <dt className="font-medium">{t("setup.inTerminal")}</dt>
        <dd className="mt-0.5 text-ink-2">{t("setup.inTerminalText")}</dd>
      </div>
      <div>
        <dt className="font-medium">{t("setup.inContainer")}</dt>
        <dd className="mt-1.5">
          <CodeBlock
            label={t("setup.inContainer")}
            text={`docker logs ${t("setup.containerName")}`}
            className="rounded-md bg-sunken px-3 py-2"
          />
        </dd>
      </div>
    </dl>
  );
};
