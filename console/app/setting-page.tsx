import { Tabs } from "@base-ui/react/tabs";
import { Search } from "lucide-react";
import { lazy, Suspense, useState } from "react";
import { useTranslation } from "react-i18next";
import { LeaveGuard } from "../components/leave-guard";
import { PageFrame } from "../components/page-frame";
import { PageLoading } from "../components/page-loading";
import { useDrafts } from "../features/settings/use-drafts";
import { useSession } from "../lib/session";
import { useAddress } from "../lib/use-address";
import { SETTING_TABS, type SettingTab } from "./setting-tabs";

const PersonalTab = lazy(() => import("./personal-tab"));
const ProviderSettings = lazy(() => import("../features/sign-in-providers/provider-settings"));
const SiteNotices = lazy(() => import("../features/notices/site-notices"));
const FoundOptions = lazy(() => import("../features/settings/found-options"));
const SiteSettings = lazy(() => import("../features/settings/site-settings"));

/** The tab in the address, and the setting to show on it. */
export const readSettingSearch = (
  search: Record<string, unknown>,
): { tab?: SettingTab; option?: string } => ({
  tab: SETTING_TABS.find((each) => each === search.tab),
  option: typeof search.option === "string" && search.option !== "" ? search.option : undefined,
});

/** /setting: every user's own settings, and the site's for administrators. */
export const SettingPage = () => {
  const { t } = useTranslation();
  const { isAdmin, isRoot } = useSession("options");
  const [search, change] = useAddress(readSettingSearch);
  const tabs = isAdmin ? SETTING_TABS : SETTING_TABS.slice(0, 1);
  const tab = tabs.find((each) => each === search.tab) ?? "personal";
  const [text, setText] = useState("");
  const store = useDrafts();
  return (
    <div className="mx-auto w-full max-w-document xl:max-w-[1160px]">
      <LeaveGuard isChanged={Object.keys(store.drafts).length > 0} isSaving={store.isSaving} />
      <PageFrame
        title={t("setting.title")}
        aside={
          isAdmin && (
            <search className="control flex w-full items-center gap-2 wide:w-72">
              <Search aria-hidden className="size-4 shrink-0 text-ink-3" />
              <input
                type="search"
                value={text}
                placeholder={t("setting.search.placeholder")}
                aria-label={t("setting.search.placeholder")}
                autoComplete="off"
                className="h-full min-w-0 flex-1 bg-transparent outline-none"
                onChange={(event) => setText(event.target.value)}
              />
            </search>
          )
        }
      >
        {text.trim() !== "" && (
          <Suspense fallback={<PageLoading />}>
            <FoundOptions text={text.trim()} onFollow={() => setText("")} />
          </Suspense>
        )}
        <Tabs.Root
          value={tab}
          onValueChange={(next: SettingTab) =>
            change({ tab: next === "personal" ? undefined : next, option: undefined })
          }
          // Hidden, not removed: unsaved input on a tab survives a search.
          className={text.trim() === "" ? "flex flex-col gap-4" : "hidden"}
        >
          <Tabs.List
            aria-label={t("setting.title")}
            className="-mx-4 flex overflow-x-auto border-line border-b px-4 wide:mx-0 wide:px-0"
          >
            {tabs.map((each) => (
              <Tabs.Tab
                key={each}
                value={each}
                className="-mb-px h-10 shrink-0 whitespace-nowrap border-transparent border-b-2 px-3 text-sm text-ink-2 hover:text-ink data-active:border-accent data-active:font-medium data-active:text-ink"
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
                    <PersonalTab />
                  ) : (
                    <SiteSettings tab={each} option={search.option} store={store}>
                      {each === "system" && isRoot && (
                        <>
                          <ProviderSettings />
                          <SiteNotices />
                        </>
                      )}
                    </SiteSettings>
                  )}
                </div>
              </Suspense>
            </Tabs.Panel>
          ))}
        </Tabs.Root>
      </PageFrame>
    </div>
  );
};
