import { useQuery } from "@tanstack/react-query";
import { Link, useParams } from "@tanstack/react-router";
import { Copy } from "lucide-react";
import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { Button, buttonVariants } from "../../components/button";
import { DetailPage, type DetailTab } from "../../components/detail-page";
import { LazyBoundary } from "../../components/lazy-boundary";
import { RecordUsage } from "../../components/record-usage";
import { copyOrShow } from "../../lib/copy";
import { offeredModelsQuery, useOwnExample } from "../../lib/offered-models";
import { useSession } from "../../lib/session";
import { serverAddress, useStatus } from "../../lib/status";
import { pricingQuery } from "./pricing-query";

interface ModelPageProps {
  /** The overview, with the usage as one of its cards. */
  overviewOf: (model: string, usage: ReactNode) => ReactNode;
  tabsOf: (model: string) => readonly DetailTab[];
}

/** /model/{name}: price, health and usage of one model, within the user's permissions. */
export const ModelPage = ({ overviewOf, tabsOf }: ModelPageProps) => {
  const { t } = useTranslation();
  const { name: model = "" } = useParams({ strict: false });
  return (
    <DetailPage
      title={<span className="break-all">{model}</span>}
      marks={
        <Button
          variant="quiet"
          size="smallIcon"
          aria-label={t("model.copy", { name: model })}
          onClick={() => void copyOrShow(model, () => undefined)}
        >
          <Copy aria-hidden className="size-3.5" />
        </Button>
      }
      actions={
        <Link to="." search={{ tab: "connect" } as never} className={buttonVariants({ variant: "primary" })}>
          {t("token.connect.action")}
        </Link>
      }
      label={t("model.pageTitle")}
      tabs={[
        {
          id: "overview",
          label: t("detail.overview"),
          content: (
            <div className="flex flex-col gap-4">
              <NotOffered model={model} />
              {overviewOf(model, <Usage key={model} model={model} />)}
            </div>
          ),
        },
        ...tabsOf(model),
        { id: "connect", label: t("model.connect"), content: <Connect key={model} model={model} /> },
      ]}
    />
  );
};

const Usage = ({ model }: { model: string }) => {
  const { isAdmin } = useSession();
  return (
    <>
      {isAdmin && <RecordUsage filter={{ model }} by={["channel", "user"]} />}
      <RecordUsage isOwn filter={{ model }} by={["token"]} />
    </>
  );
};

/** Whether the model is offered to the user; undefined while unknown. */
const useIsOffered = (model: string): boolean | undefined => {
  const { price_page: pricePage = "off" } = useStatus() ?? {};
  const prices = useQuery({ ...pricingQuery, meta: { silent: true }, enabled: pricePage !== "off" });
  return prices.data?.data.some(({ model_name }) => model_name === model);
};

/** Reports that a model is not offered, with a link to the offered ones. */
const NotOffered = ({ model }: { model: string }) => {
  const { t } = useTranslation();
  const { isAdmin } = useSession();
  if (useIsOffered(model) !== false) return null;
  return (
    <p role="status" className="rounded-md bg-yellow-soft px-3 py-2 text-sm text-yellow">
      {t("model.unknown", { name: model })}{" "}
      <Link to="/pricing" className="underline underline-offset-2">
        {t("model.toPrices")}
      </Link>
      {isAdmin && (
        <>
          {" · "}
          <Link to="/channel" className="underline underline-offset-2">
            {t("model.toChannels")}
          </Link>
        </>
      )}
    </p>
  );
};

/** Instructions for programs to call this model with the user's own key. */
const Connect = ({ model }: { model: string }) => {
  const { t } = useTranslation();
  const address = serverAddress(useStatus());
  const own = useOwnExample();
  const key = own?.key ?? "";
  const { data: offered } = useQuery({ ...offeredModelsQuery(key), enabled: own !== undefined });
  return (
    <section
      aria-label={t("model.connect")}
      className="flex max-w-3xl flex-col gap-3 rounded-lg border border-line bg-surface p-4"
    >
      {!own && (
        <p className="text-sm text-ink-2">
          {t("model.noKey")}{" "}
          <Link to="/token/add" className="text-accent underline-offset-2 hover:underline">
            {t("token.add")}
          </Link>
        </p>
      )}
      {offered && !offered.includes(model) && (
        <p className="text-sm text-yellow">{t("model.notOffered", { name: model })}</p>
      )}
      <LazyBoundary
        load={() => import("../../components/connect-guide")}
        with={{ connection: { address, key: own?.key ?? "sk-…", model } }}
        fallback={<div className="skeleton h-96 w-full" />}
      />
    </section>
  );
};
