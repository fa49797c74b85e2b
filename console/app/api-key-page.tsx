import { useTranslation } from "react-i18next";
import type { DetailTab } from "../components/detail-page";
import type { ShownKey } from "../features/api-keys/any-api-key-query";
import { ApiKeyPage as OneApiKey } from "../features/api-keys/api-key-page";
import { useSession } from "../lib/session";
import { Audit, below, KeyChanges, Ledger, Log } from "./page-parts";

/** /token/{id}: the requests and changes of a key, the movements of its quota, and the changes of its user by administrators. */
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
      { id: "changes", label: t("detail.changes"), content: below({}, <KeyChanges keyId={key.id} />) },
      // Changes of the owner's account concern its keys, too.
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
  return <OneApiKey tabsOf={tabsOf} />;
};
