import { useQuery } from "@tanstack/react-query";
import type { setUpAtSignIn, setUpSecondFactor } from "@tollgate/contract/api/second-factor";
import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { FailedState } from "../../components/failed-state";
import { LazyBoundary } from "../../components/lazy-boundary";
import { callEndpoint } from "../../lib/call-endpoint";
import type { Mistakes } from "../../lib/use-mistakes";
import { BackupCodes } from "./backup-codes";
import { CodeForm } from "./code-form";

/** As people type it: apps pass over the spaces. */
const inGroups = (secret: string): string => secret.match(/.{1,4}/g)?.join(" ") ?? "";

interface SecondFactorSetupProps {
  /** Makes a secret. */
  begin: typeof setUpSecondFactor | typeof setUpAtSignIn;
  isBusy: boolean;
  refused: Mistakes;
  onCode: (code: string) => void;
  /** Beside its button. */
  children?: ReactNode;
}

/** The steps of setting up an authenticator app: scan, keep the backup codes, and show a code. */
export const SecondFactorSetup = ({ begin, isBusy, refused, onCode, children }: SecondFactorSetupProps) => {
  const { t } = useTranslation();
  // A query and not a mutation: each call ends the secret of the one before, so a re-render must not send it again.
  const { data, error, refetch } = useQuery({
    queryKey: ["second-factor-setup", begin.path],
    queryFn: () => callEndpoint(begin, {}),
    // Not even a change of the language repeats it.
    staleTime: "static",
    gcTime: 0,
    retry: false,
    meta: { silent: true },
  });
  if (error)
    return (
      <FailedState error={error} onRetry={() => void refetch()}>
        {children}
      </FailedState>
    );
  if (!data) return <div role="status" aria-label={t("page.loading")} className="skeleton h-80 w-full" />;
  return (
    <div className="flex flex-col gap-5">
      <section aria-label={t("secondFactor.scan")} className="flex flex-col gap-3">
        <p className="text-sm text-ink-2">{t("secondFactor.scan")}</p>
        <div className="mx-auto w-44">
          <LazyBoundary
            load={() => import("../../components/qr-code")}
            with={{ content: data.address, label: t("secondFactor.qr") }}
            fallback={<div className="skeleton aspect-square w-full" />}
          />
        </div>
        <p className="text-sm text-ink-2">
          {t("secondFactor.secret")}{" "}
          <code className="select-all font-mono text-ink">{inGroups(data.secret)}</code>
        </p>
      </section>
      <BackupCodes codes={data.backupCodes} />
      <CodeForm confirm={t("secondFactor.confirm")} isBusy={isBusy} refused={refused} onCode={onCode}>
        {children}
      </CodeForm>
    </div>
  );
};
