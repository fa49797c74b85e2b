import { useQuery } from "@tanstack/react-query";
import { SHOWN_VERSION } from "@tollgate/contract/version";
import { useTranslation } from "react-i18next";
import { PageFrame, Panel } from "../../components/page-frame";
import { SiteContent } from "../../components/site-content";
import { systemName } from "../../lib/status";
import { aboutQuery } from "./site-text-queries";

/** /about: the administrator's text, or a word about the product. */
export const AboutPage = () => {
  const { t } = useTranslation();
  const { data, isPending } = useQuery(aboutQuery);
  return (
    <PageFrame title={t("about.title")}>
      {data ? (
        <SiteContent source={data} title={t("about.title")} />
      ) : (
        !isPending && (
          <Panel>
            <p>{t("about.text", { name: systemName(), version: SHOWN_VERSION })}</p>
            <p className="mt-2 text-ink-2">{t("about.hint")}</p>
          </Panel>
        )
      )}
    </PageFrame>
  );
};
