import { useQuery } from "@tanstack/react-query";
import { ExternalLink, Wallet } from "lucide-react";
import { useCallback, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { Button } from "../../components/button";
import { LazyBoundary } from "../../components/lazy-boundary";
import { PageFrame, Panel } from "../../components/page-frame";
import { TextField } from "../../components/text-field";
import { formatQuota } from "../../lib/format";
import { notify } from "../../lib/notify";
import { selfQuery } from "../../lib/self";
import { statusQuery, useStatus } from "../../lib/status";
import { useAddress } from "../../lib/use-address";
import { useMistakes } from "../../lib/use-mistakes";
import { useRedeemCode } from "./redeem-code";

/** The plan to buy, from the address; undefined for quota. */
const readTopupSearch = ({ plan }: Record<string, unknown>): { planId: number | undefined } => {
  const id = Number(plan);
  return { planId: Number.isSafeInteger(id) && id > 0 ? id : undefined };
};

interface PurchaseProps {
  /** Called once the panel has its content, or cannot have it: what stands below it does not move any more. */
  onKnown: () => void;
}

/** Buys quota, or the plan in the address. */
const Purchase = ({ onKnown }: PurchaseProps) => {
  const [{ planId }] = useAddress(readTopupSearch);
  const fallback = <div className="skeleton h-64 w-full" />;
  const common = { fallback, onMissing: onKnown };
  return planId === undefined ? (
    <LazyBoundary load={() => import("./purchase-panel")} with={{ onKnown }} {...common} />
  ) : (
    <LazyBoundary load={() => import("./plan-purchase")} with={{ planId, onKnown }} {...common} />
  );
};

/** /topup: shows the balance, sells quota or a plan if the site does, and redeems codes. */
export const TopupPage = () => {
  const { t } = useTranslation();
  const status = useStatus();
  const { isPending } = useQuery(statusQuery);
  const { data: self } = useQuery(selfQuery);
  const refused = useMistakes();
  const redeem = useRedeemCode(refused);
  const form = useRef<HTMLFormElement>(null);
  const [isPurchaseKnown, setPurchaseKnown] = useState(false);
  const onKnown = useCallback(() => setPurchaseKnown(true), []);

  const submit = (key: string) => {
    if (key === "") {
      notify.warning(t("topup.missing"));
      return;
    }
    redeem.mutate(key, {
      onSuccess: () => {
        notify.success(t("action.done"));
        form.current?.reset();
      },
    });
  };

  const openLink = () => {
    const link = status?.top_up_link ?? "";
    if (/^https?:\/\//.test(link)) window.open(link, "_blank", "noopener");
    else notify.error(t("topup.noLink"));
  };

  return (
    <div className="mx-auto w-full max-w-form">
      <PageFrame title={t("topup.title")} description={t("topup.description")}>
        <Panel>
          <div className="flex items-center gap-4">
            <span
              aria-hidden
              className="grid size-11 shrink-0 place-items-center rounded-full bg-accent-soft text-accent"
            >
              <Wallet className="size-5" />
            </span>
            <dl className="min-w-0">
              <dt className="text-sm text-ink-2">{t("topup.remaining")}</dt>
              <dd aria-live="polite" className="font-semibold text-2xl leading-tight tabular-nums">
                {self ? formatQuota(self.quota) : <span className="skeleton block h-8 w-32" />}
              </dd>
              <dd className="mt-0.5 text-sm text-ink-3 tabular-nums">
                {self ? (
                  t("topup.usedHint", { amount: formatQuota(self.usedQuota) })
                ) : (
                  <span className="skeleton block h-lh w-40" />
                )}
              </dd>
            </dl>
          </div>
        </Panel>
        {status?.payments && <Purchase onKnown={onKnown} />}
        {/* Rendered once the content above is known. */}
        {(status?.payments ? isPurchaseKnown : status || !isPending) && (
          <Panel>
            <form
              ref={form}
              noValidate
              className="flex flex-col gap-4"
              onSubmit={(event) => {
                event.preventDefault();
                refused.begin(event.currentTarget);
                submit(String(new FormData(event.currentTarget).get("key") ?? "").trim());
              }}
            >
              <TextField
                label={t("topup.code")}
                name="key"
                error={refused.of("key")}
                placeholder={t("topup.codePlaceholder")}
                autoComplete="off"
                autoCapitalize="none"
                spellCheck={false}
                className="font-mono"
              />
              <div className="flex flex-wrap gap-2">
                <Button type="submit" variant="primary" isBusy={redeem.isPending}>
                  {redeem.isPending ? t("topup.redeeming") : t("topup.redeem")}
                </Button>
                <Button onClick={openLink}>
                  <ExternalLink aria-hidden className="size-3.5" />
                  {t("topup.getCode")}
                </Button>
              </div>
            </form>
          </Panel>
        )}
      </PageFrame>
    </div>
  );
};

/** /order: one's own purchases; all users' for administrators. In this file, as every page lists each chunk. */
export const OrderListPage = () => (
  <LazyBoundary
    load={() => import("./order-lists")}
    with={{}}
    fallback={<div className="skeleton h-64 w-full" />}
  />
);
