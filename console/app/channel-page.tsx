import type { Channel } from "@tollgate/contract/api/channels";
import { useTranslation } from "react-i18next";
import type { DetailTab } from "../components/detail-page";
import { ChannelPage as OneChannel } from "../features/channels/channel-page";
import { useSession } from "../lib/session";
import { Audit, below, Log, Profit } from "./page-parts";

/** /channel/{id} with the requests over that channel and its changes. */
export const ChannelPage = () => {
  const { t } = useTranslation();
  const { isRoot } = useSession();
  const tabsOf = ({ id }: Channel): DetailTab[] => [
    { id: "log", label: t("nav.log"), content: below({ channel: String(id) }, <Log />) },
    { id: "profit", label: t("nav.profit"), content: below({ channel: String(id) }, <Profit />) },
    ...(isRoot
      ? [
          {
            id: "audit",
            label: t("nav.audit"),
            content: below({ action: "channel", target: String(id) }, <Audit />),
          },
        ]
      : []),
  ];
  return <OneChannel tabsOf={tabsOf} />;
};
