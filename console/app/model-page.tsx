import { useRouter } from "@tanstack/react-router";
import { useEffect } from "react";
import { useTranslation } from "react-i18next";
import type { DetailTab } from "../components/detail-page";
import { PageLoading } from "../components/page-loading";
import { ModelPage as OneModel } from "../features/pricing/model-page";
import { useSession } from "../lib/session";
import { queriesLists, useStatus } from "../lib/status";
import { Audit, below, Log, Profit, part } from "./page-parts";

const Channels = part(
  async () => (await import("../features/channels/channel-list-page")).ChannelListPage,
  "channels",
);
const ModelCards = part(async () => (await import("./model-cards")).ModelCards, "pricing", "model-status");

/** Leads to the login page, and back after it. */
const ToLogin = () => {
  const router = useRouter();
  useEffect(() => {
    const { href } = router.state.location;
    void router.navigate({ to: "/login", replace: true, state: { from: href } });
  }, [router]);
  return <PageLoading />;
};

/** /model/{name} with its price, its abilities, its health, and the requests for it. */
export const ModelPage = () => {
  const { t } = useTranslation();
  const { user, isRoot, may } = useSession();
  const status = useStatus();
  // Guests see a model where they see its price.
  if (!user && !status) return <PageLoading />;
  if (!user && status?.price_page !== "public") return <ToLogin />;
  const tabsOf = (model: string): DetailTab[] => [
    ...(user ? [{ id: "log", label: t("nav.log"), content: below({ model }, <Log />) }] : []),
    ...(may("channels") && queriesLists()
      ? [{ id: "channels", label: t("nav.channel"), content: below({ models: model }, <Channels />) }]
      : []),
    ...(may("profit")
      ? [{ id: "profit", label: t("nav.profit"), content: below({ model }, <Profit />) }]
      : []),
    ...(isRoot
      ? [
          {
            id: "audit",
            label: t("nav.audit"),
            content: below({ action: "prices", target: model }, <Audit />),
          },
        ]
      : []),
  ];
  return (
    <OneModel overviewOf={(model, usage) => <ModelCards model={model}>{usage}</ModelCards>} tabsOf={tabsOf} />
  );
};
