import type { Channel } from "@tollgate/contract/api/channels";
import type { User } from "@tollgate/contract/api/user";
import { lazy, type ReactNode } from "react";
import { useTranslation } from "react-i18next";
import type { DetailTab } from "../components/detail-page";
import { ChannelPage as Channels } from "../features/channels/channel-page";
import { UserPage as Users } from "../features/users/user-page";
import { FixedAddress } from "../lib/fixed-address";
import { loadTexts, type TextArea } from "../lib/i18n";
import { useSession } from "../lib/session";

/** A page as a part of another one, with its texts. */
const part = <Module extends object>(
  load: () => Promise<Module>,
  name: keyof Module & string,
  ...areas: TextArea[]
) =>
  lazy(async () => {
    const [module] = await Promise.all([load(), loadTexts(areas)]);
    return { default: module[name] as () => ReactNode };
  });

const Log = part(() => import("./log-page"), "LogPage", "logs", "usage");
const Ledger = part(() => import("../features/ledger/ledger-list-page"), "LedgerListPage", "ledger");
const Statement = part(
  () => import("../features/statements/statement-page"),
  "StatementPage",
  "statements",
  "ledger",
);
const Audit = part(() => import("../features/audit/audit-page"), "AuditPage", "audit");

const below = (fixed: Readonly<Record<string, unknown>>, content: ReactNode): ReactNode => (
  <FixedAddress value={fixed}>{content}</FixedAddress>
);

/** /user/{id} with the requests, money and changes of that user. */
export const UserPage = () => {
  const { t } = useTranslation();
  const { isRoot } = useSession();
  const tabsOf = ({ username }: User): DetailTab[] => [
    { id: "log", label: t("nav.log"), content: below({ username }, <Log />) },
    { id: "ledger", label: t("nav.ledger"), content: below({ username }, <Ledger />) },
    { id: "statement", label: t("nav.statement"), content: below({ username }, <Statement />) },
    ...(isRoot
      ? [{ id: "audit", label: t("nav.audit"), content: below({ beneficiary: username }, <Audit />) }]
      : []),
  ];
  return <Users tabsOf={tabsOf} />;
};

/** /channel/{id} with the requests over that channel and its changes. */
export const ChannelPage = () => {
  const { t } = useTranslation();
  const { isRoot } = useSession();
  const tabsOf = ({ id }: Channel): DetailTab[] => [
    { id: "log", label: t("nav.log"), content: below({ channel: String(id) }, <Log />) },
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
  return <Channels tabsOf={tabsOf} />;
};
