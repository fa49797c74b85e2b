import { useQuery } from "@tanstack/react-query";
import { listOwnIdentities, type OwnIdentity } from "@tollgate/contract/api/sign-in-providers";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { Button } from "../../components/button";
import { FailedState } from "../../components/failed-state";
import { LazyBoundary } from "../../components/lazy-boundary";
import { SettingRow } from "../../components/setting-card";
import { endpointQuery } from "../../lib/endpoint-query";
import { hasListExtra } from "../../lib/status";
import { ProviderButton } from "./provider-buttons";

const loadUnbindWindow = () => import("./unbind-window");

const useIdentities = () =>
  useQuery({ ...endpointQuery(listOwnIdentities, {}), enabled: hasListExtra("sign-in-providers") });

const Unbind = ({ identity }: { identity: OwnIdentity }) => {
  const { t } = useTranslation();
  const [isOpen, setOpen] = useState(false);
  const close = () => setOpen(false);
  return (
    <>
      <Button
        aria-haspopup="dialog"
        aria-label={t("personal.unbindMethod", { context: identity.name, method: identity.title })}
        onClick={() => setOpen(true)}
      >
        {t("personal.unbind")}
      </Button>
      {isOpen && (
        <LazyBoundary load={loadUnbindWindow} with={{ identity, onClose: close }} onMissing={close} />
      )}
    </>
  );
};

/** Unbinds the account of a declared method; nothing where none is bound, or another server cannot. */
export const UnbindMethod = ({ method }: { method: string }) => {
  const identity = useIdentities().data?.find(({ name, subject }) => name === method && subject !== "");
  return identity ? <Unbind identity={identity} /> : null;
};

/** A row for each provider of which an account is bound or can be. */
export const ProviderBindings = () => {
  const { t } = useTranslation();
  const { data: identities, error, refetch, isLoading } = useIdentities();
  if (error)
    return (
      <li className="py-3.5">
        <FailedState error={error} onRetry={() => void refetch()} />
      </li>
    );
  if (isLoading)
    return (
      <li className="py-3.5">
        <div role="status" aria-label={t("page.loading")} className="skeleton h-11 w-full" />
      </li>
    );
  return identities
    ?.filter(({ slug }) => slug !== "")
    .map((identity) => (
      <SettingRow
        key={identity.name}
        name={identity.title}
        text={identity.subject || t("personal.unbound")}
        action={
          <div className="flex flex-wrap gap-2">
            {identity.isOffered && (
              <ProviderButton slug={identity.slug}>
                {t("personal.bindMethod", { method: identity.title })}
              </ProviderButton>
            )}
            {identity.subject !== "" && <Unbind identity={identity} />}
          </div>
        }
      />
    ));
};
