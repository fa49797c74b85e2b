import { useQueryClient } from "@tanstack/react-query";
import { Link, useNavigate } from "@tanstack/react-router";
import { logOut } from "@tollgate/contract/api/session";
import { cutText } from "@tollgate/contract/values/cut-text";
import { clsx } from "clsx";
import { ChevronDown, Languages, LogOut, Menu as MenuIcon, Monitor, Moon, Sun, X } from "lucide-react";
import { useState, useSyncExternalStore } from "react";
import { useTranslation } from "react-i18next";
import { Button, type ButtonProps, buttonVariants } from "../components/button";
import { LateMenu } from "../components/late-menu";
import { LazyBoundary } from "../components/lazy-boundary";
import { chooseLanguage, currentLanguage } from "../lib/i18n";
import { isLanguage, LANGUAGE_KEYS, LANGUAGES } from "../lib/languages";
import { subscribeStored } from "../lib/local-store";
import { notify } from "../lib/notify";
import { clearCache } from "../lib/query-client";
import { forgetUser, useSession } from "../lib/session";
import { siteLogo, systemName } from "../lib/status";
import { THEMES, useTheme } from "../lib/theme";
import { useEndpoint } from "../lib/use-endpoint";
import { useNarrow } from "../lib/use-narrow";
import { type Section, useCurrentPage, useNavigation } from "./navigation";

/** The displayed username is cut at this many characters (specification section 2). */
const USERNAME_LENGTH = 15;

const useLeave = () => {
  const { t } = useTranslation();
  const navigate = useNavigate();
  // The page forgets the user whatever the server answers.
  const leave = useEndpoint(logOut, { isSilent: true });
  const queryClient = useQueryClient();
  return async () => {
    await leave.mutateAsync({}).catch(() => undefined);
    forgetUser();
    notify.success(t("logout.done"));
    await navigate({ to: "/login" });
    clearCache(queryClient);
  };
};

/** The bar over every page: the site's name, its menu, and who is logged in. */
export const Header = () => {
  const isNarrow = useNarrow();
  const sections = useNavigation();
  const { section, page } = useCurrentPage(sections);
  return (
    <header className="sticky top-0 z-20 border-line border-b bg-surface print:hidden">
      {isNarrow ? (
        <NarrowHeader sections={sections} current={page?.to} />
      ) : (
        <WideHeader sections={sections} current={section} />
      )}
      {section && section.pages.length > 1 && <SectionTabs section={section} current={page?.to} />}
    </header>
  );
};

// Loaded beside the page, not before it.
const loadShortcuts = () => import("./shortcuts");

const LateShortcuts = () => (
  <LazyBoundary load={loadShortcuts} with={{}} fallback={<span className="size-8" />} />
);

const Brand = () => {
  const name = useSyncExternalStore(subscribeStored, systemName);
  const logo = useSyncExternalStore(subscribeStored, siteLogo);
  return (
    <Link to="/" className="flex min-w-0 items-center gap-2.5 rounded-md py-1 font-semibold text-lg">
      <img src={logo} alt="" className="size-7 shrink-0 rounded-sm object-contain" />
      <span className="truncate">{name}</span>
    </Link>
  );
};

/** On a phone the tab of a page may lie beyond the edge. */
const bringIntoView = (tab: HTMLElement | null): void =>
  tab?.scrollIntoView({ inline: "center", block: "nearest" });

/** The pages of the section that one is in, where it has several. */
const SectionTabs = ({ section, current }: { section: Section; current: string | undefined }) => {
  const { t } = useTranslation();
  return (
    <nav aria-label={t(section.label)} className="border-line border-t">
      <div className="mx-auto flex max-w-[1480px] overflow-x-auto px-2.5">
        {section.pages.map(({ to, label }) => (
          <Link
            key={to}
            to={to}
            ref={to === current ? bringIntoView : undefined}
            aria-current={to === current ? "page" : undefined}
            activeOptions={{ exact: true }}
            className="relative flex h-10 shrink-0 items-center whitespace-nowrap rounded-md px-2.5 text-sm text-ink-3 transition-colors hover:text-ink aria-[current=page]:font-medium aria-[current=page]:text-ink aria-[current=page]:after:absolute aria-[current=page]:after:inset-x-2.5 aria-[current=page]:after:-bottom-px aria-[current=page]:after:h-0.5 aria-[current=page]:after:rounded-full aria-[current=page]:after:bg-accent"
          >
            {t(label)}
          </Link>
        ))}
      </div>
    </nav>
  );
};

const WideHeader = ({
  sections,
  current,
}: {
  sections: readonly Section[];
  current: Section | undefined;
}) => {
  const { t } = useTranslation();
  const { user } = useSession();
  const leave = useLeave();
  return (
    <div className="mx-auto flex max-w-[1480px] flex-wrap items-center gap-x-6 px-5 menu:h-14 menu:flex-nowrap">
      <div className="flex h-12 min-w-0 items-center">
        <Brand />
      </div>
      <nav
        aria-label={t("nav.main")}
        className="order-last -mx-2 flex w-full overflow-x-auto menu:order-none menu:mx-0 menu:w-auto menu:flex-1"
      >
        {sections.map((section) => (
          <Link
            key={section.to}
            to={section.to}
            aria-current={section === current ? "true" : undefined}
            activeOptions={{ exact: true }}
            className="relative flex h-10 shrink-0 items-center whitespace-nowrap rounded-md px-2.5 text-sm text-ink-2 transition-colors hover:text-ink aria-[current]:font-medium aria-[current]:text-ink aria-[current]:after:absolute aria-[current]:after:inset-x-2.5 aria-[current]:after:-bottom-px aria-[current]:after:h-0.5 aria-[current]:after:rounded-full aria-[current]:after:bg-accent menu:h-14"
          >
            {t(section.label)}
          </Link>
        ))}
      </nav>
      <div className="ms-auto flex h-12 items-center gap-1">
        {user && <LateShortcuts />}
        <LanguageSwitch />
        <ThemeSwitch />
        {user ? (
          <UserMenu name={user.username} onLeave={leave} />
        ) : (
          <Link to="/login" className={clsx(buttonVariants({ variant: "plain" }), "ms-2")}>
            {t("nav.login")}
          </Link>
        )}
      </div>
    </div>
  );
};

/** What a person looks for under the own name. */
const OWN_PAGES = [
  { to: "/setting", label: "nav.setting" },
  { to: "/token", label: "nav.token" },
  { to: "/topup", label: "nav.topup" },
  { to: "/log", label: "nav.log" },
] as const;

const UserMenu = ({ name, onLeave }: { name: string; onLeave: () => void }) => {
  const { t } = useTranslation();
  const navigate = useNavigate();
  return (
    <LateMenu
      trigger={<UserButton name={name} />}
      entries={[
        ...OWN_PAGES.map(({ to, label }) => ({ label: t(label), onSelect: () => void navigate({ to }) })),
        {
          label: t("nav.logout"),
          icon: <LogOut aria-hidden className="size-4 text-ink-3" />,
          onSelect: onLeave,
        },
      ]}
    />
  );
};

const UserButton = ({ name, ...rest }: ButtonProps & { name: string }) => (
  <Button variant="quiet" className="ms-1 text-ink" {...rest}>
    {cutText(name, USERNAME_LENGTH)}
    <ChevronDown aria-hidden className="size-3.5 text-ink-3" />
  </Button>
);

const NarrowHeader = ({
  sections,
  current,
}: {
  sections: readonly Section[];
  current: string | undefined;
}) => {
  const { t } = useTranslation();
  const { user } = useSession();
  const leave = useLeave();
  const [isOpen, setOpen] = useState(false);
  const close = () => setOpen(false);
  return (
    <>
      <div className="flex h-[52px] items-center gap-1 px-3">
        <div className="me-auto flex min-w-0 ps-1">
          <Brand />
        </div>
        {user && <LateShortcuts />}
        <LanguageSwitch />
        <ThemeSwitch />
        <Button
          variant="quiet"
          size="icon"
          className="size-10"
          aria-label={t("nav.menu")}
          aria-expanded={isOpen}
          aria-controls="narrow-menu"
          onClick={() => setOpen(!isOpen)}
        >
          {isOpen ? <X aria-hidden className="size-5" /> : <MenuIcon aria-hidden className="size-5" />}
        </Button>
      </div>
      {isOpen && (
        <div
          id="narrow-menu"
          className="absolute inset-x-0 top-full max-h-[calc(100dvh-100%)] overflow-y-auto border-line border-y bg-surface px-3 pt-2 pb-4 shadow-float"
        >
          <nav aria-label={t("nav.main")} className="flex flex-col">
            {sections.map(({ to: own, pages }) =>
              pages.map(({ to, label }) => (
                <Link
                  key={to}
                  to={to}
                  aria-current={to === current ? "page" : undefined}
                  activeOptions={{ exact: true }}
                  onClick={close}
                  className={clsx(
                    "flex items-center rounded-md px-3 text-ink-2 aria-[current=page]:bg-accent-soft aria-[current=page]:font-medium aria-[current=page]:text-accent",
                    to === own ? "h-11 text-lg" : "ms-4 h-10 text-base",
                  )}
                >
                  {t(label)}
                </Link>
              )),
            )}
          </nav>
          <div className="mt-3 flex gap-2 border-line border-t px-1 pt-3">
            {user ? (
              <>
                <span className="flex min-w-0 flex-1 items-center truncate px-2 text-ink-2">
                  {cutText(user.username, USERNAME_LENGTH)}
                </span>
                <Button
                  className="h-11"
                  onClick={() => {
                    close();
                    void leave();
                  }}
                >
                  {t("nav.logout")}
                </Button>
              </>
            ) : (
              <>
                <Link
                  to="/login"
                  onClick={close}
                  className={clsx(buttonVariants({ variant: "primary" }), "h-11 flex-1")}
                >
                  {t("nav.login")}
                </Link>
                <Link
                  to="/register"
                  onClick={close}
                  className={clsx(buttonVariants({ variant: "plain" }), "h-11 flex-1")}
                >
                  {t("nav.register")}
                </Link>
              </>
            )}
          </div>
        </div>
      )}
    </>
  );
};

/**
 * The browser's own list under the look of a button: it weighs nothing, and this stands on every page. It says each language
 * in that language.
 */
const LanguageSwitch = () => {
  const { t } = useTranslation();
  const queryClient = useQueryClient();
  const current = currentLanguage();
  const choose = async (language: string) => {
    if (!isLanguage(language)) return;
    await chooseLanguage(language);
    // What a server says is in the language that it was asked in.
    await queryClient.invalidateQueries();
  };
  return (
    <span className={clsx(buttonVariants({ variant: "quiet" }), "relative px-2")}>
      <Languages aria-hidden className="size-4" />
      <span aria-hidden className="max-wide:hidden">
        {LANGUAGES[current].name}
      </span>
      <select
        aria-label={t("nav.language")}
        value={current}
        onChange={({ target }) => void choose(target.value).catch(() => notify.error(t("page.codeMissing")))}
        className="absolute inset-0 cursor-pointer opacity-0"
      >
        {LANGUAGE_KEYS.map((language) => (
          <option key={language} lang={language} value={language}>
            {LANGUAGES[language].name}
          </option>
        ))}
      </select>
    </span>
  );
};

const THEME_ICON = { system: Monitor, light: Sun, dark: Moon };

const ThemeSwitch = () => {
  const { t } = useTranslation();
  const [theme, setTheme] = useTheme();
  const Icon = THEME_ICON[theme];
  const label = t("nav.theme", { theme: t(`theme.${theme}`) });
  return (
    <Button
      variant="quiet"
      size="icon"
      aria-label={label}
      title={label}
      onClick={() => setTheme(THEMES[(THEMES.indexOf(theme) + 1) % THEMES.length] ?? "system")}
    >
      <Icon aria-hidden className="size-4" />
    </Button>
  );
};
