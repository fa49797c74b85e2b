import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { SHOWN_VERSION } from "@tollgate/contract/version";
import { useTranslation } from "react-i18next";
import { buttonVariants } from "../../components/button";
import { PageFrame, Panel } from "../../components/page-frame";
import { SiteContent } from "../../components/site-content";
import { useSession } from "../../lib/session";
import { systemName, useStatus } from "../../lib/status";
import { aboutQuery } from "./site-text-queries";

/** /about: the administrator's text, or a description of the product. */
export const AboutPage = () => {
  const { t } = useTranslation();
  const { data, isPending } = useQuery(aboutQuery);
  const { user, may } = useSession();
  const { price_page: pricePage, model_status: statusPage, system_slogan: slogan } = useStatus() ?? {};
  const isSeen = (shown: string | undefined) => shown === "public" || (shown === "signed-in" && user);
  const links = [
    ...(isSeen(pricePage) ? [["/pricing", t("nav.pricing")] as const] : []),
    ...(isSeen(statusPage) ? [["/status", t("nav.modelStatus")] as const] : []),
    user ? (["/token/connect", t("nav.connect")] as const) : (["/register", t("nav.register")] as const),
  ];
  return (
    <PageFrame title={t("about.title")}>
      {data ? (
        <SiteContent source={data} title={t("about.title")} />
      ) : (
        !isPending && (
          <Panel>
            {slogan && <p className="mb-2 break-words text-lg">{slogan}</p>}
            <p>{t("about.text", { name: systemName(), version: SHOWN_VERSION })}</p>
            {may("options", "change") && (
              <p className="mt-2 text-ink-2">
                {t("about.hint")}{" "}
                <Link
                  to="/setting"
                  search={{ tab: "other" } as never}
                  className="text-accent underline underline-offset-2"
                >
                  {t("about.fill")}
                </Link>
              </p>
            )}
            <p className="mt-4 flex flex-wrap gap-2">
              {links.map(([to, label]) => (
                <Link key={to} to={to} className={buttonVariants({ variant: "plain" })}>
                  {label}
                </Link>
              ))}
            </p>
          </Panel>
        )
      )}
    </PageFrame>
  );
};
