import { useQuery } from "@tanstack/react-query";
import {
  deleteSignInProvider,
  listSignInProviders,
  type SignInProvider,
} from "@tollgate/contract/api/sign-in-providers";
import { Plus } from "lucide-react";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { Badge } from "../../components/badge";
import { Button } from "../../components/button";
import { FailedState } from "../../components/failed-state";
import { LazyBoundary } from "../../components/lazy-boundary";
import { RowActions } from "../../components/row-actions";
import { SettingCard } from "../../components/setting-card";
import { endpointQuery } from "../../lib/endpoint-query";
import { notify } from "../../lib/notify";
import { hasListExtra, serverAddress, useStatus } from "../../lib/status";
import { useEndpoint } from "../../lib/use-endpoint";

const loadProviderWindow = () => import("./provider-window");

/** OpenID Connect providers, for root; empty where the server has none. */
const ProviderSettings = () => {
  const { t } = useTranslation();
  if (!hasListExtra("sign-in-providers")) return null;
  return (
    <SettingCard
      id="section-sign-in-providers"
      title={t("signInProvider.title")}
      text={t("signInProvider.text")}
    >
      <Providers />
    </SettingCard>
  );
};

const Providers = () => {
  const { t } = useTranslation();
  const { data: providers, error, refetch } = useQuery(endpointQuery(listSignInProviders, {}));
  const [edited, setEdited] = useState<SignInProvider | "new">();
  const close = () => setEdited(undefined);
  if (error) return <FailedState error={error} onRetry={() => void refetch()} />;
  if (!providers)
    return <div role="status" aria-label={t("page.loading")} className="skeleton h-16 w-full" />;
  return (
    <>
      {providers.length === 0 ? (
        <p className="text-ink-2">{t("signInProvider.none")}</p>
      ) : (
        <ul className="flex flex-col divide-y divide-line">
          {providers.map((provider) => (
            <ProviderRow key={provider.id} provider={provider} onEdit={() => setEdited(provider)} />
          ))}
        </ul>
      )}
      <div>
        <Button aria-haspopup="dialog" onClick={() => setEdited("new")}>
          <Plus aria-hidden className="size-3.5" />
          {t("signInProvider.add")}
        </Button>
      </div>
      {edited && (
        <LazyBoundary
          load={loadProviderWindow}
          with={{ provider: edited === "new" ? undefined : edited, onClose: close }}
          onMissing={close}
        />
      )}
    </>
  );
};

const ProviderRow = ({ provider, onEdit }: { provider: SignInProvider; onEdit: () => void }) => {
  const { t } = useTranslation();
  const status = useStatus();
  const remove = useEndpoint(deleteSignInProvider, {
    onAnswer: ({ bound }) => notify.success(t("signInProvider.removed", { count: bound })),
  });
  const { id, name, slug, issuer, bound, isEnabled, mayRegister } = provider;
  return (
    <li className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2 py-3 first:pt-0 last:pb-0">
      <div className="min-w-0 flex-1 basis-60">
        <div className="flex flex-wrap items-center gap-2 font-medium">
          <span className="break-words">{name}</span>
          {!isEnabled && <Badge tone="yellow">{t("signInProvider.off")}</Badge>}
          {!mayRegister && <Badge>{t("signInProvider.existingOnly")}</Badge>}
        </div>
        <div className="break-all text-sm text-ink-2">{issuer}</div>
        <div className="break-all text-sm text-ink-2">
          {t("signInProvider.callback", { address: `${serverAddress(status)}/oauth/${slug}` })}
        </div>
        <div className="text-sm text-ink-2">{t("signInProvider.bound", { count: bound })}</div>
      </div>
      <RowActions
        of={name}
        actions={[
          { label: t("action.edit"), opensWindow: true, onSelect: onEdit },
          {
            label: t("action.delete"),
            isDanger: true,
            question: {
              question: t("signInProvider.removeQuestion", { name }),
              consequence: t("signInProvider.removeConsequence", { count: bound }),
              confirm: t("action.delete"),
            },
            onSelect: () => remove.mutateAsync({ params: { id } }),
          },
        ]}
      />
    </li>
  );
};

export default ProviderSettings;
