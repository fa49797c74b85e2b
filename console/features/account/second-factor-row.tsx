import { useQuery } from "@tanstack/react-query";
import { listPasskeys } from "@tollgate/contract/api/passkeys";
import { getSecondFactor } from "@tollgate/contract/api/second-factor";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { Badge } from "../../components/badge";
import { Button } from "../../components/button";
import { LazyBoundary } from "../../components/lazy-boundary";
import { SettingRow } from "../../components/setting-card";
import { endpointQuery } from "../../lib/endpoint-query";
import { failureText } from "../../lib/failure-text";
import { hasListExtra } from "../../lib/status";
import type { SecondFactorTask } from "./second-factor-window";

const loadWindow = () => import("./second-factor-window");

/** Whether one's sign-ins ask for a code, with the ways to change that. Other servers do not tell. */
export const SecondFactorRow = () => (hasListExtra("second-factor") ? <OwnSecondFactor /> : null);

const OwnSecondFactor = () => {
  const { t } = useTranslation();
  const { data, error } = useQuery(endpointQuery(getSecondFactor, {}));
  const { data: passkeys = [] } = useQuery({
    ...endpointQuery(listPasskeys, {}),
    enabled: hasListExtra("passkeys"),
  });
  const [task, setTask] = useState<SecondFactorTask>();
  const close = () => setTask(undefined);
  const opener = (label: string, opened: SecondFactorTask) => (
    <Button aria-haspopup="dialog" onClick={() => setTask(opened)}>
      {label}
    </Button>
  );
  return (
    <SettingRow
      name={t("secondFactor.name")}
      text={
        error ? (
          failureText(error)
        ) : data?.isOn ? (
          <span className="inline-flex flex-wrap items-center gap-2">
            <Badge tone="green">{t("secondFactor.on")}</Badge>
            {t("secondFactor.codesLeft", { count: data.codesLeft })}
          </span>
        ) : (
          t("secondFactor.offText")
        )
      }
      action={
        <div className="flex flex-wrap gap-2">
          {data?.isOn && opener(t("secondFactor.renew"), "renew")}
          {data?.isOn &&
            // With a passkey the app is not what the site requires.
            (data.isRequired && passkeys.length === 0
              ? opener(t("secondFactor.exchange"), "exchange")
              : opener(t("secondFactor.remove"), "remove"))}
          {data?.isOn === false && opener(t("secondFactor.setUp"), "set-up")}
          {!data && !error && <div className="skeleton h-control w-16" />}
        </div>
      }
    >
      {task && <LazyBoundary load={loadWindow} with={{ task, onClose: close }} onMissing={close} />}
    </SettingRow>
  );
};
