import { useTranslation } from "react-i18next";
import type { DetailTab } from "../components/detail-page";
import { ModelPage as OneModel } from "../features/pricing/model-page";
import { useSession } from "../lib/session";
import { queriesLists } from "../lib/status";
import { Audit, below, Log, Profit, part } from "./page-parts";

const Channels = part(
  async () => (await import("../features/channels/channel-list-page")).ChannelListPage,
  "channels",
);
const ModelCards = part(async () => (await import("./model-cards")).ModelCards, "pricing", "model-status");

/** /model/{name} with its price, its health, and the requests for it. */
export const ModelPage = () => {
  const { t } = useTranslation();
  const { isRoot, may } = useSession();
  const tabsOf = (model: string): DetailTab[] => [
    { id: "log", label: t("nav.log"), content: below({ model }, <Log />) },
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
