import { Link } from "@tanstack/react-router";
import { SHOWN_VERSION } from "@tollgate/contract/version";
import { useSyncExternalStore } from "react";
import { useTranslation } from "react-i18next";
import { RichText } from "../components/rich-text";
import { TermsLinks } from "../components/terms-links";
import { readStored, subscribeStored } from "../lib/local-store";
import { systemName } from "../lib/status";

const LICENCE_URL = "https://opensource.org/licenses/mit-license.php";

const LINK = "underline underline-offset-2 hover:text-ink";

const footerHtml = () => readStored("footer_html") ?? "";

/** The administrator's footer; otherwise the product's name and version, its authors and its licence. */
export const Footer = () => {
  const { t } = useTranslation();
  const html = useSyncExternalStore(subscribeStored, footerHtml);
  const name = useSyncExternalStore(subscribeStored, systemName);
  return (
    <footer className="print:hidden px-5 py-6 text-center text-xs text-ink-3">
      {html === "" ? (
        <p className="text-balance">
          {name} {SHOWN_VERSION} · {t("footer.builtBefore")}{" "}
          <Link to="/about" className={LINK}>
            {t("footer.author")}
          </Link>{" "}
          {t("footer.builtAfter")} ·{" "}
          <span className="whitespace-nowrap">
            {t("footer.licence")}{" "}
            <a href={LICENCE_URL} className={LINK} rel="noreferrer" target="_blank">
              {t("footer.licenceName")}
            </a>
          </span>
        </p>
      ) : (
        <RichText source={html} className="prose" />
      )}
      <p className="empty:hidden">
        <TermsLinks className={LINK} />
      </p>
    </footer>
  );
};
