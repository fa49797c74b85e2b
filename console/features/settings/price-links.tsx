import { Link } from "@tanstack/react-router";
import { useTranslation } from "react-i18next";
import { buttonVariants } from "../../components/button";

/** Link to the page of error rules. */
export const ErrorRulesLink = () => {
  const { t } = useTranslation();
  return (
    <Link to="/setting/errors" className={buttonVariants({ className: "self-start" })}>
      {t("setting.editErrorRules")}
    </Link>
  );
};

/** Links to the page that compares prices. */
export const PriceLinks = () => {
  const { t } = useTranslation();
  return (
    <div className="flex flex-wrap gap-2">
      <Link to="/setting/prices" className={buttonVariants()}>
        {t("setting.comparePrices")}
      </Link>
      <Link to="/setting/prices" search={{ tab: "missing" }} className={buttonVariants()}>
        {t("setting.missingPrices")}
      </Link>
      <Link to="/pricing/rules" className={buttonVariants()}>
        {t("setting.priceRules")}
      </Link>
    </div>
  );
};
