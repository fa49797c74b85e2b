import { clsx } from "clsx";
import { Languages, Monitor, Moon, Sun } from "lucide-react";
import { useTranslation } from "react-i18next";
import { Button, buttonVariants } from "../components/button";
import { currentLanguage } from "../lib/i18n";
import { LANGUAGE_KEYS, LANGUAGES } from "../lib/languages";
import { THEMES, useTheme } from "../lib/theme";
import { useChooseLanguage } from "./use-choose-language";

/** The browser's own list under the look of a button: it weighs nothing. It says each language in that language. */
const LanguageSwitch = () => {
  const { t } = useTranslation();
  const choose = useChooseLanguage();
  const current = currentLanguage();
  return (
    <span className={clsx(buttonVariants({ variant: "quiet" }), "relative px-2")}>
      <Languages aria-hidden className="size-4" />
      <span aria-hidden>{LANGUAGES[current].name}</span>
      <select
        aria-label={t("nav.language")}
        value={current}
        onChange={({ target }) => choose(target.value)}
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

/** Goes through the themes, one at each click. */
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

/** How the console looks, where there is no menu for it. */
export const Appearance = () => (
  <>
    <LanguageSwitch />
    <ThemeSwitch />
  </>
);
