import type { Channel } from "@tollgate/contract/api/channels";
import type { User } from "@tollgate/contract/api/user";
import { useTranslation } from "react-i18next";
import type { DetailTab } from "../components/detail-page";
import type { ShownKey } from "../features/api-keys/any-api-key-query";
import { ApiKeyPage as OneToken } from "../features/api-keys/api-key-page";
import { ChannelPage as OneChannel } from "../features/channels/channel-page";
import { ModelPage as OneModel } from "../features/pricing/model-page";
import { UserPage as OneUser } from "../features/users/user-page";
import { useSession } from "../lib/session";
import { queriesLists } from "../lib/status";
import { Audit, below, Ledger, part } from "./page-parts";

const Log = part(async () => (await import("./log-page")).LogPage, "logs", "usage");
const Statement = part(
  async () => (await import("../features/statements/statement-page")).StatementPage,
  "statements",
  "ledger",
);
const Orders = part(async () => (await import("../features/orders/all-orders")).AllOrders, "orders");
const Profit = part(
  async () => (await import("../features/profit/profit-page")).ProfitPage,
  "profit",
  "usage",
);
const Channels = part(
  async () => (await import("../features/channels/channel-list-page")).ChannelListPage,
  "channels",
);
const Keys = part(async () => (await import("../features/api-keys/user-api-keys")).UserApiKeys, "tokens");
const ModelCards = part(async () => (await import("./model-cards")).ModelCards, "pricing", "model-status");

/** /user/{id} with the keys, requests, money and changes of that user. */
export const UserPage = () => {
  const { t } = useTranslation();
  const { isRoot } = useSession();
  const tabsOf = ({ id, username }: User): DetailTab[] => [
    ...(queriesLists()
      ? [{ id: "keys", label: t("nav.token"), content: below({}, <Keys userId={id} />) }]
      : []),
    { id: "log", label: t("nav.log"), content: below({ username }, <Log />) },
    { id: "ledger", label: t("nav.ledger"), content: below({ username }, <Ledger />) },
    { id: "statement", label: t("nav.statement"), content: below({ username }, <Statement />) },
    { id: "orders", label: t("nav.orders"), content: below({ q: username }, <Orders />) },
    { id: "profit", label: t("nav.profit"), content: below({ username }, <Profit />) },
    ...(isRoot
      ? [{ id: "audit", label: t("nav.audit"), content: below({ beneficiary: username }, <Audit />) }]
      : []),
  ];
  return <OneUser tabsOf={tabsOf} />;
};

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

/** /token/{id}: the requests of a key, the changes of its remaining quota, and those of its user by administrators. */
export const ApiKeyPage = () => {
  const { t } = useTranslation();
  const { user, isRoot } = useSession();
  const tabsOf = (key: ShownKey): DetailTab[] => {
    const owner = "username" in key ? key.username : undefined;
    return [
      // The log identifies keys by name: requests of a key without a name cannot be filtered.
      ...(key.name === ""
        ? []
        : [
            {
              id: "log",
              label: t("nav.log"),
              content: below({ token: key.name, username: owner ?? user?.username }, <Log />),
            },
          ]),
      { id: "ledger", label: t("nav.ledger"), content: below({ tokenId: key.id }, <Ledger />) },
      // Only its owner changes a key. Changes of the owner's account concern it, too.
      ...(isRoot && owner !== undefined
        ? [
            {
              id: "audit",
              label: t("nav.audit"),
              content: below({ action: "user", beneficiary: owner }, <Audit />),
            },
          ]
        : []),
    ];
  };
  return <OneToken tabsOf={tabsOf} />;
};

/** /model/{name} with its price, its health, and the requests for it. */
export const ModelPage = () => {
  const { t } = useTranslation();
  const { isAdmin, isRoot } = useSession();
  const tabsOf = (model: string): DetailTab[] => [
    { id: "log", label: t("nav.log"), content: below({ model }, <Log />) },
    ...(isAdmin && queriesLists()
      ? [{ id: "channels", label: t("nav.channel"), content: below({ models: model }, <Channels />) }]
      : []),
    ...(isAdmin ? [{ id: "profit", label: t("nav.profit"), content: below({ model }, <Profit />) }] : []),
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
