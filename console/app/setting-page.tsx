import { Tabs } from "@base-ui/react/tabs";
import { lazy, Suspense } from "react";
import { useTranslation } from "react-i18next";
import { PageFrame } from "../components/page-frame";
import { PageLoading } from "../components/page-loading";
import { useSession } from "../lib/session";
import { useAddress } from "../lib/use-address";

const PersonalSettings = lazy(() => import("../features/account/personal-settings"));
const OwnNotices = lazy(() => import("../features/notices/own-notices"));
const SiteNotices = lazy(() => import("../features/notices/site-notices"));
const SiteSettings = lazy(() => import("../features/settings/site-settings"));

const TABS = ["personal", "operation", "system", "other"] as const;
type Tab = (typeof TABS)[number];

/** Which tab the address names. */
export const readSettingSearch = (search: Record<string, unknown>): { tab?: Tab } => ({
  tab: TABS.find((each) => each === search.tab),
});

/** /setting: everyone's own settings, and the site's for administrators. */
export const SettingPage = () => {
  const { t } = useTranslation();
  const { isAdmin, isRoot } = useSession();
  const [search, change] = useAddress(readSettingSearch);
  const tabs = isAdmin ? TABS : TABS.slice(0, 1);
  const tab = tabs.find((each) => each === search.tab) ?? "personal";
  return (
    <div className="mx-auto w-full max-w-[960px]">
      <PageFrame title={t("setting.title")}>
        <Tabs.Root
          value={tab}
          onValueChange={(next: Tab) => change({ tab: next === "personal" ? undefined : next })}
          className="flex flex-col gap-4"
        >
          <Tabs.List
            aria-label={t("setting.title")}
            className="-mx-4 flex overflow-x-auto border-line border-b px-4 wide:mx-0 wide:px-0"
          >
            {tabs.map((each) => (
              <Tabs.Tab
                key={each}
                value={each}
                className="-mb-px h-10 shrink-0 whitespace-nowrap border-transparent border-b-2 px-3 text-[13.5px] text-ink-2 hover:text-ink data-active:border-accent data-active:font-medium data-active:text-ink"
              >
                {t(`setting.tab.${each}`)}
              </Tabs.Tab>
            ))}
          </Tabs.List>
          {tabs.map((each) => (
            <Tabs.Panel key={each} value={each}>
              <Suspense fallback={<PageLoading />}>
                <div className="flex flex-col gap-4">
                  {each === "personal" ? (
                    <PersonalSettings>
                      <OwnNotices />
                    </PersonalSettings>
                  ) : (
                    <SiteSettings tab={each} />
                  )}
                  {each === "system" && isRoot && <SiteNotices />}
                </div>
              </Suspense>
            </Tabs.Panel>
          ))}
        </Tabs.Root>
      </PageFrame>
    </div>
  );
};
