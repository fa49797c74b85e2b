import { Link } from "@tanstack/react-router";
import { useTranslation } from "react-i18next";
import { AdminsOnly } from "../../components/admins-only";
import { LockedNote } from "../../components/locked-note";
import { LossesNotice } from "../../components/losses-notice";
import { PageFrame, Panel } from "../../components/page-frame";
import { Segmented } from "../../components/segmented";
import { useSession } from "../../lib/session";
import { useAddress } from "../../lib/use-address";
import { MissingPrices } from "./missing-prices";
import { PriceComparison } from "./price-comparison";

const TABS = ["compare", "missing"] as const;
type Tab = (typeof TABS)[number];

const readSearch = (search: Record<string, unknown>): { tab?: Tab } => ({
  tab: TABS.find((each) => each === search.tab),
});

/** /setting/prices: prices compared with published lists, and offered models without a price; for administrators. */
export const PricePage = () => {
  const { t } = useTranslation();
  const { isAdmin, isRoot } = useSession("prices");
  const [{ tab = "compare" }, change] = useAddress(readSearch);
  if (!isAdmin)
    return (
      <PageFrame title={t("price.title")}>
        <Panel>
          <AdminsOnly title={t("price.forAdmins")} />
        </Panel>
      </PageFrame>
    );
  return (
    <PageFrame
      title={t("price.title")}
      description={
        <>
          {t("price.description")}{" "}
          <Link to="/setting" search={{ tab: "operation" }} className="text-accent underline">
            {t("price.toSettings")}
          </Link>
        </>
      }
    >
      <LossesNotice>
        {!isRoot && <LockedNote text={t("price.rootAccepts")} />}
        <Segmented
          label={t("price.title")}
          value={tab}
          segments={TABS.map((value) => ({ value, label: t(`price.tab.${value}`) }))}
          onChange={(next) => change({ tab: next === "compare" ? undefined : next })}
          className="w-fit"
        />
        {tab === "compare" ? <PriceComparison /> : <MissingPrices />}
      </LossesNotice>
    </PageFrame>
  );
};
