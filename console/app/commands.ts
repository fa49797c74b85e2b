import { useNavigate } from "@tanstack/react-router";
import type { PermissionArea } from "@tollgate/contract/management/permission-areas";
import { sectionIdsOf } from "@tollgate/contract/options/options";
import { LOG_ERROR } from "@tollgate/contract/values/statuses";
import type { ParseKeys } from "i18next";
import { useTranslation } from "react-i18next";
import { findOptions, sectionElementId } from "../features/settings/find-options";
import { copyOrShow } from "../lib/copy";
import { currentLanguage } from "../lib/i18n";
import { LANGUAGE_KEYS, LANGUAGES } from "../lib/languages";
import { notify } from "../lib/notify";
import { useSavedViews } from "../lib/saved-views";
import { useSession } from "../lib/session";
import { hasListExtra, serverAddress, useStatus } from "../lib/status";
import { THEMES, useTheme } from "../lib/theme";
import { useRecordCommands } from "./command-records";
import { type Page, useNavigation } from "./navigation";
import { PAGE_ACTIONS } from "./page-actions";
import { type Command, rankCommands } from "./rank-commands";
import { PERSONAL_CARDS, SETTING_TABS, type SettingTab } from "./setting-tabs";
import { GO, HELP } from "./shortcut-keys";
import { buttonNamed, turnTo } from "./turn-to";
import { useChooseLanguage } from "./use-choose-language";
import { useSignOut } from "./use-sign-out";

/** Maximum number of shown settings. */
const MAX_OPTIONS = 8;

/** Leads to the texts of the site's terms, and root to a new version. */
const useTermsActions = (): Command[] => {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const { isRoot } = useSession();
  const status = useStatus();
  const go = (to: string) => () => void navigate({ href: to });
  return [
    ...(isRoot && hasListExtra("terms")
      ? [
          {
            id: "new-terms",
            label: t("command.newTerms"),
            words: t("nav.terms"),
            run: go("/setting/terms/add"),
          },
        ]
      : []),
    ...(status?.user_agreement
      ? [{ id: "user-agreement", label: t("siteTerms.userAgreement"), run: go("/user-agreement") }]
      : []),
    ...(status?.privacy_policy
      ? [{ id: "privacy-policy", label: t("siteTerms.privacyPolicy"), run: go("/privacy-policy") }]
      : []),
  ];
};

/** Actions that are available on every page. */
const useActions = (onShowKeys: () => void): Command[] => {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const { isRoot, may } = useSession();
  const [theme, setTheme] = useTheme();
  const chooseLanguage = useChooseLanguage();
  const signOut = useSignOut();
  const terms = useTermsActions();
  const status = useStatus();
  const address = serverAddress(status);
  const go = (to: string) => () => void navigate({ href: to });
  const creations: readonly (Command & { area: PermissionArea })[] = [
    {
      area: "channels",
      id: "new-channel",
      label: t("command.newChannel"),
      words: t("channel.add"),
      run: go("/channel/add"),
    },
    {
      area: "redemptions",
      id: "new-code",
      label: t("command.newCode"),
      words: t("redemption.add"),
      run: go("/redemption/add"),
    },
    {
      area: "users",
      id: "new-user",
      label: t("command.newUser"),
      words: t("user.add"),
      run: go("/user/add"),
    },
    {
      area: "plans",
      id: "new-plan",
      label: t("command.newPlan"),
      words: t("plan.add"),
      run: go("/plan/manage/add"),
    },
    { area: "promotions", id: "new-promotion", label: t("promotion.add"), run: go("/promotion/add") },
  ];
  return [
    // The words are those of the lists' buttons.
    { id: "new-token", label: t("command.newToken"), words: t("token.add"), run: go("/token/add") },
    ...creations.flatMap(({ area, ...command }) => (may(area, "change") ? [command] : [])),
    ...(isRoot && hasListExtra("permission-sets")
      ? [{ id: "new-permission-set", label: t("narrowed.add"), run: go("/permission/add") }]
      : []),
    ...terms,
    ...(status?.tickets ? [{ id: "new-ticket", label: t("ticket.add"), run: go("/ticket/add") }] : []),
    { id: "failures", label: t("command.failures"), run: go(`/log?type=${LOG_ERROR}`) },
    ...(may("usage")
      ? [
          {
            id: "spenders",
            label: t("command.spenders"),
            run: go("/dashboard?range=yesterday&metric=quota&by=user"),
          },
        ]
      : []),
    ...(may("announcements", "change")
      ? [
          {
            id: "new-announcement",
            label: t("command.newAnnouncement"),
            words: t("announcement.add"),
            run: go("/setting/announcements/add"),
          },
        ]
      : []),
    { id: "slow-models", label: t("command.slowModels"), run: go("/dashboard?metric=duration&by=model") },
    {
      id: "address",
      label: t("command.copyAddress"),
      hint: address,
      run: () => void copyOrShow(address, (text) => notify.info(text)),
    },
    { id: "own-notices", label: t("command.ownNotices"), run: go("/setting") },
    { id: "password", label: t("own.password"), run: go("/user/edit") },
    ...THEMES.filter((each) => each !== theme).map((each) => ({
      id: `theme-${each}`,
      label: t("nav.theme", { theme: t(`theme.${each}`) }),
      run: () => setTheme(each),
    })),
    ...LANGUAGE_KEYS.filter((each) => each !== currentLanguage()).map((each) => ({
      id: `language-${each}`,
      label: t("command.language", { language: LANGUAGES[each].name }),
      // The English word finds it for users who cannot read the console's current language.
      words: `language ${each}`,
      run: () => chooseLanguage(each),
    })),
    { id: "keys", label: t("shortcut.title"), keys: [HELP], run: onShowKeys },
    { id: "sign-out", label: t("nav.logout"), run: () => void signOut() },
  ];
};

/** The actions of the pages that this user sees, by the names of their buttons. */
const usePageActions = (): Command[] => {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const { isAdmin, isRoot } = useSession("options");
  const sells = useStatus()?.payments === true;
  const pages = useNavigation().flatMap((section) => section.pages);
  return PAGE_ACTIONS.flatMap(({ page: to, tab, label, isRootOnly, isOfPayments }): Command[] => {
    // Customers' own orders have no action that all orders have.
    const page = pages.find((each) => each.to === to && each.for !== "customers");
    if (!page || (isRootOnly && !isRoot) || (tab !== undefined && !isAdmin)) return [];
    if (isOfPayments && !sells) return [];
    const hint = tab === undefined ? t(page.label) : t(`setting.tab.${tab}`);
    const run = async () => {
      await navigate({ href: tab === undefined ? to : `${to}?tab=${tab}` });
      turnTo(() => buttonNamed(t(label)));
    };
    return [{ id: `${to}-${tab ?? ""}-${label}`, label: t(label), hint, run }];
  });
};

/** The tabs of the settings and their cards. */
const useSettingParts = (): Command[] => {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const { isAdmin } = useSession("options");
  const card = (id: string, label: string, tab: SettingTab): Command => ({
    id,
    label,
    hint: t(`setting.tab.${tab}`),
    run: async () => {
      await navigate({ href: `/setting?tab=${tab}` });
      turnTo(() => document.getElementById(id));
    },
  });
  const tabs = isAdmin ? SETTING_TABS : SETTING_TABS.slice(0, 1);
  return [
    ...tabs.map((tab) => ({
      id: `tab-${tab}`,
      label: t(`setting.tab.${tab}`),
      hint: t("nav.setting"),
      run: () => navigate({ href: `/setting?tab=${tab}` }),
    })),
    ...PERSONAL_CARDS.map(({ id, title }) => card(id, t(title), "personal")),
    ...tabs.flatMap((tab) =>
      tab === "personal"
        ? []
        : sectionIdsOf(tab).map((id) => card(sectionElementId(id), t(`setting.section.${id}`), tab)),
    ),
  ];
};

/** Names of the records of pages that are called otherwise. */
const PAGE_WORDS: { [To in Page["to"]]?: ParseKeys } = { "/redemption": "command.kind.code" };

/** Matching pages, actions and records, the best first; without typed words, the pages and actions. */
export const useCommands = (typed: string, onShowKeys: () => void) => {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const text = typed.trim();
  const sections = useNavigation();
  const { isAdmin } = useSession("options");
  const actions = useActions(onShowKeys);
  const pageActions = usePageActions();
  const settingParts = useSettingParts();
  const { groups: records, ...search } = useRecordCommands(text);
  const pages = sections.flatMap((section) =>
    section.pages.map(({ to, label }): Command => {
      const isFirst = to === section.to;
      return {
        id: to,
        label: t(label),
        hint: section.pages.length > 1 ? t(section.label) : undefined,
        keys: isFirst ? [GO, section.key] : undefined,
        words: PAGE_WORDS[to] === undefined ? to : `${to} ${t(PAGE_WORDS[to])}`,
        run: () => void navigate({ to }),
      };
    }),
  );
  const options = isAdmin
    ? findOptions(text, t)
        .slice(0, MAX_OPTIONS)
        .map(({ key, label, section, tab }) => ({
          id: `option-${key}`,
          label,
          hint: `${t(`setting.tab.${tab}`)} › ${t(`setting.section.${section}`)}`,
          isFound: true,
          run: () => void navigate({ to: "/setting", search: { tab, option: key } }),
        }))
    : [];
  const { views } = useSavedViews();
  const allPages = sections.flatMap((section) => section.pages);
  const savedViews = views.flatMap(({ name, path, search }): Command[] => {
    const page = allPages.find(({ to }) => to === path);
    // Views of a list that the user may no longer see are left out.
    if (!page) return [];
    const go = () => void navigate({ href: path + search });
    return [
      { id: `view-${path}-${name}`, label: name, hint: t(page.label), words: t("table.views"), run: go },
    ];
  });
  const groups = [
    { label: t("command.pages"), commands: pages },
    { label: t("table.views"), commands: savedViews },
    // Without a typed word, the list stays short.
    { label: t("command.actions"), commands: text === "" ? actions : [...actions, ...pageActions] },
    ...records,
    { label: t("nav.setting"), commands: text === "" ? [] : [...settingParts, ...options] },
  ];
  return { ...search, groups: rankCommands(groups, text) };
};
