import { useQuery } from "@tanstack/react-query";
import { Link, useParams } from "@tanstack/react-router";
import type { PricedModel, PricingAnswer } from "@tollgate/contract/api/pricing";
import { Copy } from "lucide-react";
import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { Button, buttonVariants } from "../../components/button";
import { DetailPage, type DetailTab, type Fact } from "../../components/detail-page";
import { LazyBoundary } from "../../components/lazy-boundary";
import { RecordLink } from "../../components/record-link";
import { RecordUsage } from "../../components/record-usage";
import { copyOrShow } from "../../lib/copy";
import { offeredModelsQuery, useOwnExample } from "../../lib/offered-models";
import { useSession } from "../../lib/session";
import { offersPlayground, serverAddress, useStatus } from "../../lib/status";
import { nearNames } from "./near-names";
import { pricingQuery } from "./pricing-query";
import { formatPrice, formatTokens, shownPrice, usePriceUnit } from "./shown-price";

interface ModelPageProps {
  /** The overview, with the usage as one of its cards. */
  overviewOf: (model: string, usage: ReactNode) => ReactNode;
  tabsOf: (model: string) => readonly DetailTab[];
}

/** /model/{name}: price, health and usage of one model, within the user's permissions. */
export const ModelPage = ({ overviewOf, tabsOf }: ModelPageProps) => {
  const { t } = useTranslation();
  const { name: model = "" } = useParams({ strict: false });
  const facts = useFacts(model);
  return (
    <DetailPage
      {...(facts && { facts })}
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
        <>
          {offersPlayground() && (
            <Link to="/playground" search={{ model }} className={buttonVariants()}>
              {t("nav.playground")}
            </Link>
          )}
          <Link
            to="."
            search={{ tab: "connect" } as never}
            className={buttonVariants({ variant: "primary" })}
          >
            {t("token.connect.action")}
          </Link>
        </>
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
  const { user, isAdmin } = useSession("usage");
  if (!user) return null;
  return (
    <>
      {isAdmin && <RecordUsage filter={{ model }} by={["channel", "user"]} />}
      <RecordUsage isOwn filter={{ model }} by={["token"]} />
    </>
  );
};

/** The prices that the site shows; undefined while unknown, null if it shows none. */
const usePrices = (): PricingAnswer | null | undefined => {
  const status = useStatus();
  const { price_page: pricePage = "off" } = status ?? {};
  const isShown = pricePage !== "off";
  const prices = useQuery({ ...pricingQuery, meta: { silent: true }, enabled: isShown });
  if (!status) return undefined;
  return isShown && !prices.isError ? prices.data : null;
};

const UNKNOWN = "–";

/** Stands for a fact until the prices are known. */
const PENDING = <span className="skeleton inline-block h-4 w-12 align-middle" />;

const formatAmount = (usd: number | undefined): string => (usd === undefined ? UNKNOWN : formatPrice(usd));
const formatCountOf = (tokens: number | undefined): string =>
  tokens === undefined ? UNKNOWN : formatTokens(tokens);

/** The prices of a model for the reader: of the own group, else of the first that offers it. */
const useInputAndOutput = () => {
  const { t } = useTranslation();
  return (priced: PricedModel, groups: PricingAnswer["groups"]): [input: string, output: string] => {
    const group = groups.find(({ is_own }) => is_own) ?? groups[0];
    const price = group && shownPrice(priced, group.name, Number(group.ratio));
    if (price?.perCall === undefined) return [formatAmount(price?.input), formatAmount(price?.output)];
    const perCall = t("pricing.perCall", { price: formatPrice(price.perCall) });
    return [perCall, perCall];
  };
};

/** What the head of the page says of the model; undefined if the site shows no price of it. */
const useFacts = (model: string): readonly Fact[] | undefined => {
  const { t } = useTranslation();
  const inputAndOutput = useInputAndOutput();
  const prices = usePrices();
  const unit = usePriceUnit();
  const priced = prices?.data.find(({ model_name }) => model_name === model);
  if (prices === null || (prices && !priced)) return undefined;
  const names = [
    t("pricing.vendor"),
    `${t("pricing.input")} (${unit})`,
    `${t("pricing.output")} (${unit})`,
    t("pricing.context"),
    t("pricing.outputLimit"),
    t("field.group"),
  ] as const;
  if (!prices || !priced) return names.map((name) => [name, PENDING]);
  const groups = prices.groups.filter(({ name }) => priced.enable_groups.includes(name));
  const groupNames = groups.map(({ name }) => name).join(", ");
  const values = [
    prices.vendors.find(({ id }) => id === priced.vendor_id)?.name ?? UNKNOWN,
    ...inputAndOutput(priced, groups),
    formatCountOf(priced.context),
    formatCountOf(priced.output_limit),
    <span key="groups" title={groupNames} className="block truncate">
      {groupNames}
    </span>,
  ];
  return names.map((name, index) => [name, values[index]]);
};

/** Reports that a model is not offered, with links to those of similar names and to the offered ones. */
const NotOffered = ({ model }: { model: string }) => {
  const { t } = useTranslation();
  const { isAdmin } = useSession("channels");
  const prices = usePrices();
  if (!prices || prices.data.some(({ model_name }) => model_name === model)) return null;
  const near = nearNames(
    model,
    prices.data.map(({ model_name }) => model_name),
  );
  return (
    <div role="status" className="break-words rounded-md bg-yellow-soft px-3 py-2 text-sm text-yellow">
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
      {near.length > 0 && (
        <p className="mt-1 flex flex-wrap gap-x-3 gap-y-1">
          {t("model.near")}
          {near.map((name) => (
            <RecordLink key={name} kind="model" id={name} className="break-all underline" />
          ))}
        </p>
      )}
    </div>
  );
};

/** Instructions for programs to call this model with the user's own key. */
const Connect = ({ model }: { model: string }) => {
  const { t } = useTranslation();
  const address = serverAddress(useStatus());
  const { user } = useSession();
  const own = useOwnExample();
  const key = own?.key ?? "";
  const { data: offered } = useQuery({ ...offeredModelsQuery(key), enabled: key !== "" });
  return (
    <section
      aria-label={t("model.connect")}
      className="flex max-w-3xl flex-col gap-3 rounded-lg border border-line bg-surface p-4"
    >
      {!own && (
        <p className="text-sm text-ink-2">
          {t(user ? "model.noKey" : "model.guestKey")}{" "}
          <Link
            to={user ? "/token/add" : "/login"}
            className="text-accent underline-offset-2 hover:underline"
          >
            {t(user ? "token.add" : "pricing.signIn")}
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
