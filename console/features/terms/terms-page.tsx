import { useQuery } from "@tanstack/react-query";
import type { Terms } from "@tollgate/contract/api/terms";
import { FileText } from "lucide-react";
import { useTranslation } from "react-i18next";
import { EmptyState } from "../../components/empty-state";
import { PageFrame } from "../../components/page-frame";
import { PanelLoading } from "../../components/panel-loading";
import { SiteContent } from "../../components/site-content";
import { formatTime } from "../../lib/format";
import { useAddress } from "../../lib/use-address";
import { termsQuery } from "./terms-queries";
import { readTermsSearch } from "./terms-search";

type Text = keyof Pick<Terms, "userAgreement" | "privacyPolicy">;

/** /user-agreement */
export const UserAgreementPage = () => <TermsPage text="userAgreement" />;

/** /privacy-policy */
export const PrivacyPolicyPage = () => <TermsPage text="privacyPolicy" />;

/** One text of the current terms, or of the version in the address. */
const TermsPage = ({ text }: { text: Text }) => {
  const { t } = useTranslation();
  const [{ version }] = useAddress(readTermsSearch);
  const { data, error, refetch } = useQuery(termsQuery(version));
  const title = t(`siteTerms.${text}`);
  if (!data)
    return (
      <PageFrame title={title}>
        <PanelLoading error={error} onRetry={() => void refetch()} />
      </PageFrame>
    );
  return (
    <PageFrame
      title={title}
      description={
        data.version > 0 &&
        t("terms.versionOf", { version: data.version, time: formatTime(data.publishedAt) })
      }
    >
      {data[text].trim() === "" ? (
        <EmptyState icon={<FileText />} title={t("terms.none")} text={t("terms.noneText")} />
      ) : (
        <SiteContent source={data[text]} title={title} />
      )}
    </PageFrame>
  );
};
