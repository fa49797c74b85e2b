import { Link } from "@tanstack/react-router";
import { useTranslation } from "react-i18next";
import { useStatus } from "../lib/status";

interface TermsLinksProps {
  className?: string;
  /** Beside a form or in a window, which must not be lost. */
  opensTab?: boolean;
}

/** Links to the site's user agreement and privacy policy, as far as it has them. */
export const TermsLinks = ({ className, opensTab = false }: TermsLinksProps) => {
  const { t } = useTranslation();
  const { user_agreement: hasAgreement, privacy_policy: hasPolicy } = useStatus() ?? {};
  const links = [
    ...(hasAgreement ? [["/user-agreement", t("siteTerms.userAgreement")] as const] : []),
    ...(hasPolicy ? [["/privacy-policy", t("siteTerms.privacyPolicy")] as const] : []),
  ];
  return links.map(([to, label], index) => (
    <span key={to}>
      {index > 0 && " · "}
      <Link to={to} className={className} target={opensTab ? "_blank" : undefined}>
        {label}
      </Link>
    </span>
  ));
};
