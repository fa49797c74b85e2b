import { useQuery } from "@tanstack/react-query";
import { Link, useNavigate } from "@tanstack/react-router";
import { LogOut } from "lucide-react";
import { useTranslation } from "react-i18next";
import type { LateTrigger } from "../components/late-popup";
import { Menu } from "../components/menu";
import { formatQuota } from "../lib/format";
import { currentLanguage } from "../lib/i18n";
import { LANGUAGE_KEYS, LANGUAGES } from "../lib/languages";
import { selfQuery } from "../lib/self";
import { THEMES, useTheme } from "../lib/theme";
import { useChooseLanguage } from "./use-choose-language";
import { useSignOut } from "./use-sign-out";

/** Pages in the user menu. */
const OWN_PAGES = [
  { to: "/topup", label: "nav.balance" },
  { to: "/token", label: "own.ownKeys" },
  { to: "/user/edit", label: "own.password" },
  { to: "/setting", label: "own.ownSettings" },
  { to: "/invitation", label: "own.invite" },
] as const;

/** The signed-in user's menu: balance, own pages, appearance, and sign-out. */
const UserMenu = (opened: LateTrigger) => {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const logOut = useSignOut();
  const { data: self } = useQuery({ ...selfQuery, meta: { silent: true } });
  const [theme, setTheme] = useTheme();
  const chooseLanguage = useChooseLanguage();
  return (
    <Menu
      {...opened}
      entries={[
        ...OWN_PAGES.map(({ to, label }) => ({
          label: t(label),
          hint: to === "/topup" && self ? formatQuota(self.quota) : undefined,
          link: <Link to={to} />,
          onSelect: () => void navigate({ to }),
        })),
        ...THEMES.map((each) => ({
          group: t("own.themeTitle"),
          label: t(`theme.${each}`),
          isChecked: each === theme,
          onSelect: () => setTheme(each),
        })),
        ...LANGUAGE_KEYS.map((each) => ({
          group: t("nav.language"),
          label: LANGUAGES[each].name,
          isChecked: each === currentLanguage(),
          onSelect: () => chooseLanguage(each),
        })),
        {
          label: t("nav.logout"),
          icon: <LogOut aria-hidden className="size-4 text-ink-3" />,
          onSelect: () => void logOut(),
        },
      ]}
    />
  );
};

export default UserMenu;
